//! The page of a report, from its parts.

const PAGE: &str = include_str!("page.html");

/// The placeholders of the page, and the files that replace them.
const PARTS: [(&str, &[&str]); 2] = [
    ("/* style.css */\n", &[include_str!("style.css")]),
    ("/* drawing.js, script.js */\n", &[include_str!("drawing.js"), include_str!("script.js")]),
];

pub(super) fn page() -> String {
    PARTS.iter().fold(PAGE.to_owned(), |page, (place, parts)| page.replace(place, &parts.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_has_every_part_once_and_loads_nothing() {
        let page = page();
        for (place, parts) in PARTS {
            assert!(!page.contains(place) && PAGE.matches(place).count() == 1, "{place:?}");
            assert!(parts.iter().all(|part| page.contains(part) && !part.contains("</script")));
        }
        for outside in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
