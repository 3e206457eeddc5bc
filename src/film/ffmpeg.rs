//! MP4 through the program `ffmpeg`: raw pixels go into its standard input.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::JoinHandle;

use super::container::FilmHeader;
use crate::error::{Error, Result};
use roundel_image::output::PendingFile;

/// H.264 of high quality that all players show: 4:2:0 chroma, colours of ITU-R BT.709.
const ENCODING: &str = "-vf scale=out_color_matrix=bt709:out_range=tv -c:v libx264 -preset medium -crf 16 -pix_fmt yuv420p \
    -colorspace bt709 -color_primaries bt709 -color_trc iec61966-2-1 -color_range tv -movflags +faststart -f mp4";

pub(super) struct Ffmpeg {
    child: Child,
    /// `None` once all frames are in.
    input: Option<ChildStdin>,
    /// Collects the program's error messages.
    said: Option<JoinHandle<String>>,
    name: PathBuf,
    /// `None` once it has its final name.
    file: Option<PendingFile>,
}

impl Ffmpeg {
    pub(super) fn start(header: &FilmHeader<'_>) -> Result<Self> {
        let file = PendingFile::begin(header.output)?;
        let (width, height) = header.size;
        let size = format!("{}x{}", width.next_multiple_of(2), height.next_multiple_of(2));
        let mut command = Command::new("ffmpeg");
        command.args(["-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"]);
        command.args(["-s", &size, "-r", &header.rate.to_string(), "-i", "pipe:0"]);
        command.args(ENCODING.split_whitespace()).arg(file.temporary());
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        // Ctrl-C is for this program, which then finishes the film
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| {
            let message = match error.kind() {
                io::ErrorKind::NotFound => {
                    "in MP4 needs the program ffmpeg, which is not on the PATH; .webp, .png and .gif need no other program".to_owned()
                }
                _ => format!("in MP4 needs the program ffmpeg, which does not start: {error}"),
            };
            Error::setting("output", message)
        })?;
        let input = child.stdin.take();
        let said = child.stderr.take().map(|mut stderr| {
            std::thread::spawn(move || {
                let mut said = Vec::new();
                // unreadable messages are not worth an error
                let _ = stderr.by_ref().take(1 << 16).read_to_end(&mut said);
                let _ = io::copy(&mut stderr, &mut io::sink());
                String::from_utf8_lossy(&said).trim().to_owned()
            })
        });
        Ok(Self { child, input, said, name: header.output.to_owned(), file: Some(file) })
    }

    pub(super) fn add(&mut self, pixels: &[u8]) -> Result<()> {
        let Some(input) = &mut self.input else { return Ok(()) };
        match input.write_all(pixels) {
            Ok(()) => Ok(()),
            Err(source) if source.kind() == io::ErrorKind::BrokenPipe => {
                self.input = None;
                Err(self.failure())
            }
            Err(source) => Err(self.error(source)),
        }
    }

    /// Waits for the program to end, and gives the film its final name.
    pub(super) fn finish(mut self) -> Result<()> {
        self.input = None;
        match self.child.wait() {
            Ok(status) if status.success() => self.file.take().map_or(Ok(()), PendingFile::commit),
            Ok(_) => Err(self.failure()),
            Err(source) => Err(self.error(source)),
        }
    }

    fn error(&self, source: io::Error) -> Error {
        Error::Io { action: "write", path: self.name.clone(), source }
    }

    fn failure(&mut self) -> Error {
        let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let said = self.said.take().and_then(|said| said.join().ok()).filter(|said| !said.is_empty()).unwrap_or(status);
        self.error(io::Error::other(format!("ffmpeg: {said}")))
    }
}

impl Drop for Ffmpeg {
    /// Ends the program if the film is not finished.
    fn drop(&mut self) {
        if self.file.is_some() {
            // it may have ended by itself
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
