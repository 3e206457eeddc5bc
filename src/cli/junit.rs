//! JUnit XML, which CI systems show as test results.

use std::path::Path;

use roundel::Result;
use roundel::io::write_file;

/// Writes a test suite: names, and the messages of failures.
pub(super) fn write(path: &Path, suite: &str, cases: &[(String, Option<String>)]) -> Result<()> {
    write_file(path, |file| file.write_all(document(suite, cases).as_bytes()))
}

/// The text of the file.
pub(super) fn document(suite: &str, cases: &[(String, Option<String>)]) -> String {
    let failures = cases.iter().filter(|(_, failure)| failure.is_some()).count();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\">\n",
        escaped(suite),
        cases.len()
    );
    for (name, failure) in cases {
        xml += &format!("<testcase classname=\"{}\" name=\"{}\"", escaped(suite), escaped(name));
        xml += &match failure {
            None => "/>\n".to_owned(),
            Some(message) => format!("><failure message=\"{}\"/></testcase>\n", escaped(message)),
        };
    }
    xml + "</testsuite>\n</testsuites>\n"
}

/// Text for an XML attribute. Characters that XML cannot hold (most control characters, U+FFFE and U+FFFF) become
/// U+FFFD.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junit_counts_failures_and_escapes_text() {
        let cases = [("a <&\">".to_owned(), None), ("b".to_owned(), Some("1 of 4\npixels\u{fffe}\u{ffff}".to_owned()))];
        assert_eq!(
            document("roundel", &cases),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n\
             <testsuite name=\"roundel\" tests=\"2\" failures=\"1\">\n\
             <testcase classname=\"roundel\" name=\"a &lt;&amp;&quot;&gt;\"/>\n\
             <testcase classname=\"roundel\" name=\"b\"><failure message=\"1 of 4\u{fffd}pixels\u{fffd}\u{fffd}\"/></testcase>\n\
             </testsuite>\n</testsuites>\n"
        );
    }
}
