//! The messages of Arrow's IPC format: the schema of a table, and its batches of rows.

use std::collections::BTreeMap;
use std::io::{self, Chain, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::vec::IntoIter;

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::{Buffer, MutableBuffer};
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_ipc::{CompressionType, Message, MessageHeader};
use arrow_schema::Schema;

use crate::error::{Error, Result};
use crate::formats::guard::guarded;
use crate::memory_quota::Quota;
use crate::source::input::{Stream, io_error};
use crate::source::seekable_file::{Reader, SeekableFile};

/// The first and the last bytes of a file.
const FILE: &[u8] = b"ARROW1";

/// Bytes after the footer: its length and the mark.
const END: usize = 10;

/// The first bytes of a message. Old messages begin with their length.
const CONTINUED: [u8; 4] = [0xff; 4];

/// The largest metadata of a batch or a table, in bytes.
const LARGEST_MESSAGE: u32 = 1 << 28;

/// Bytes allocated before any are read.
const RESERVED: u64 = 1 << 24;

/// The most bytes that a byte of LZ4 expands to.
const LARGEST_RATIO: i64 = 256;

/// Whether the bytes begin an Arrow file, or a stream with a schema.
pub(in crate::formats) fn sniff(bytes: &[u8]) -> bool {
    let describes = || {
        let [_, _, _, _, length @ ..] = bytes.first_chunk::<8>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let message = bytes.get(8..)?;
        let message = &message[..length.min(message.len())];
        // a message longer than these bytes cannot be parsed, and counts as a schema
        Some(message.len() < length || arrow_ipc::root_as_message(message).ok()?.header_as_schema().is_some())
    };
    bytes.starts_with(FILE) || (bytes.starts_with(&CONTINUED) && describes() == Some(true))
}

/// Reads the messages of a stream or a file in order.
pub(super) struct Messages {
    pub(super) file: String,
    source: ArrowSource,
    pub(super) quota: Quota,
    /// The last message without its body.
    head: Vec<u8>,
}

enum ArrowSource {
    Stream(Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>),
    /// A file, and the offsets of the messages left.
    File(Reader, IntoIter<u64>),
}

impl Read for ArrowSource {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Stream(stream) => stream.read(buffer),
            Self::File(file, _) => file.read(buffer),
        }
    }
}

/// Opens a file at its batches, dictionaries first; returns its schema, too.
fn opened(file: &SeekableFile) -> Result<(ArrowSource, Schema)> {
    let refuse = |message: String| Error::input(&file.file, None, message);
    let short = || refuse("the file is cut short".to_owned());
    let end = file.length()?.checked_sub(END as u64).ok_or_else(short)?;
    let last = file.bytes(end, END as u64)?;
    let size = last.first_chunk().map_or(0, |size| u32::from_le_bytes(*size));
    let start = end.checked_sub(u64::from(size)).filter(|_| last.ends_with(FILE)).ok_or_else(short)?;
    let footer = file.bytes(start, u64::from(size))?;
    let open = || {
        let footer = arrow_ipc::root_as_footer(&footer).map_err(|_| "the list of batches cannot be read".to_owned())?;
        let table = schema(footer.schema().ok_or("the table is not described")?)?;
        let blocks = footer.dictionaries().into_iter().flatten().chain(footer.recordBatches().into_iter().flatten());
        let places = blocks.map(|block| u64::try_from(block.offset()).map_err(|_| "a batch has no place".to_owned()));
        Ok((places.collect::<Result<Vec<_>, String>>()?, table))
    };
    let (places, table) = guarded(open).map_err(refuse)?;
    Ok((ArrowSource::File(file.reader(), places.into_iter()), table))
}

impl Messages {
    /// Opens a file or a stream, and reads its schema.
    pub(super) fn open(stream: Stream) -> Result<(Self, Schema)> {
        let (file, quota) = (stream.name.clone(), stream.quota);
        let messages = |source| Self { file, source, quota, head: Vec::new() };
        if stream.head.starts_with(FILE) {
            let (source, schema) = opened(&SeekableFile::new(stream)?)?;
            return Ok((messages(source), schema));
        }
        let mut messages = messages(ArrowSource::Stream(Cursor::new(stream.head).chain(stream.rest)));
        messages.next()?;
        let schema = guarded(|| first_schema(&messages.head)).map_err(|message| messages.refuse(&message))?;
        Ok((messages, schema))
    }

    /// Reads the next message without its body; false at the end.
    fn next(&mut self) -> Result<bool> {
        if let ArrowSource::File(file, places) = &mut self.source {
            let Some(place) = places.next() else { return Ok(false) };
            file.seek(SeekFrom::Start(place)).map_err(|source| io_error(&self.file, source))?;
        }
        let is_file = matches!(self.source, ArrowSource::File(..));
        let mut length = [0; 4];
        if !self.fill(&mut length)? {
            return if is_file { Err(self.refuse("the file is cut short")) } else { Ok(false) };
        }
        if length == CONTINUED && !self.fill(&mut length)? {
            return Err(self.refuse("the file is cut short"));
        }
        let length = u32::from_le_bytes(length);
        if length == 0 {
            return Ok(false);
        }
        if length > LARGEST_MESSAGE {
            return Err(self.refuse("the file is damaged: the description of a batch is too long"));
        }
        self.head.clear();
        let read = self.source.by_ref().take(u64::from(length)).read_to_end(&mut self.head);
        if read.map_err(|source| io_error(&self.file, source))? as u64 != u64::from(length) {
            return Err(self.refuse("the file is cut short"));
        }
        Ok(true)
    }

    fn body(&mut self) -> Result<Buffer> {
        let length = message(&self.head).map_err(|message| self.refuse(&message))?.bodyLength();
        let length = u64::try_from(length).map_err(|_| self.refuse("the file is damaged: a batch has no length"))?;
        self.quota.check_memory(length, || format!("{}: a batch has {length} bytes", self.file))?;
        // grows with the bytes that exist, whatever length is stated; aligned for numbers
        let mut bytes = MutableBuffer::new(0);
        let mut read = 0;
        while read < length {
            let end = length.min((2 * read).max(RESERVED));
            bytes.resize(usize::try_from(end).expect("a batch fits memory"), 0);
            let start = usize::try_from(read).expect("less than before");
            if !self.fill(&mut bytes.as_slice_mut()[start..])? {
                return Err(self.refuse("the file is cut short"));
            }
            read = end;
        }
        Ok(bytes.into())
    }

    /// Fills the buffer; false at the end of the stream.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<bool> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.source.read(&mut bytes[filled..]) {
                Ok(0) if filled == 0 => return Ok(false),
                Ok(0) => return Err(self.refuse("the file is cut short")),
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => return Err(io_error(&self.file, source)),
            }
        }
        Ok(true)
    }

    fn refuse(&self, message: &str) -> Error {
        Error::input(&self.file, None, message)
    }
}

/// The batches of rows of a table.
pub(super) struct Batches {
    messages: Messages,
    schema: Arc<Schema>,
    dictionaries: BTreeMap<i64, ArrayRef>,
    /// The body of the next batch, if it has been read; its metadata is the last message.
    body: Option<Buffer>,
}

impl Batches {
    pub(super) fn new(messages: Messages, schema: Schema) -> Self {
        Self { messages, schema: Arc::new(schema), dictionaries: BTreeMap::new(), body: None }
    }

    pub(super) fn refuse(&self, message: &str) -> Error {
        self.messages.refuse(message)
    }

    /// Decodes these columns of the next batch without consuming it; `None` at the end.
    pub(super) fn peek(&mut self, projection: &[usize]) -> Result<Option<RecordBatch>> {
        if self.body.is_none() {
            self.body = self.next_body()?;
        }
        self.body.as_ref().map(|body| self.decoded(body, projection)).transpose()
    }

    /// Decodes these columns of the next batch; `None` at the end.
    pub(super) fn next(&mut self, projection: &[usize]) -> Result<Option<RecordBatch>> {
        let rows = self.peek(projection)?;
        self.body = None;
        Ok(rows)
    }

    /// Reads up to the next batch of rows, dictionaries included.
    fn next_body(&mut self) -> Result<Option<Buffer>> {
        while self.messages.next()? {
            let body = self.messages.body()?;
            let Self { messages, schema, dictionaries, .. } = self;
            let refuse = |text: String| messages.refuse(&text);
            let message = message(&messages.head).map_err(refuse)?;
            match message.header_type() {
                MessageHeader::DictionaryBatch => {
                    let dictionary = message.header_as_dictionary_batch();
                    check(dictionary.and_then(|dictionary| dictionary.data()), &body).map_err(refuse)?;
                    let decode = || {
                        let dictionary = dictionary.ok_or("a dictionary is missing")?;
                        // the decoder wants a map of another type
                        let mut known = std::mem::take(dictionaries).into_iter().collect();
                        let read = read_dictionary(&body, dictionary, schema, &mut known, &message.version());
                        dictionaries.extend(known);
                        read.map_err(|error| error.to_string())
                    };
                    guarded(decode).map_err(refuse)?;
                    let held: usize = dictionaries.values().map(|values| values.get_array_memory_size()).sum();
                    let what = || format!("{}: the dictionaries have {held} bytes", messages.file);
                    messages.quota.check_memory(held as u64, what)?;
                }
                MessageHeader::RecordBatch => {
                    check(message.header_as_record_batch(), &body).map_err(refuse)?;
                    return Ok(Some(body));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    fn decoded(&self, body: &Buffer, projection: &[usize]) -> Result<RecordBatch> {
        let decode = || {
            let message = message(&self.messages.head)?;
            let batch = message.header_as_record_batch().ok_or("a batch is missing")?;
            let (schema, version) = (self.schema.clone(), message.version());
            let dictionaries = self.dictionaries.clone().into_iter().collect();
            read_record_batch(body, batch, schema, &dictionaries, Some(projection), &version)
                .map_err(|error| error.to_string())
        };
        guarded(decode).map_err(|message| self.messages.refuse(&message))
    }
}

fn message(head: &[u8]) -> Result<Message<'_>, String> {
    arrow_ipc::root_as_message(head).map_err(|_| "the file is damaged: a message cannot be read".to_owned())
}

fn first_schema(head: &[u8]) -> Result<Schema, String> {
    let found = arrow_ipc::root_as_message(head).ok().and_then(|message| message.header_as_schema());
    schema(found.ok_or("it does not begin with the description of a table")?)
}

fn schema(schema: arrow_ipc::Schema<'_>) -> Result<Schema, String> {
    if !schema.endianness().equals_to_target_endianness() {
        return Err("numbers are in the other order of bytes".to_owned());
    }
    arrow_ipc::convert::try_fb_to_schema(schema).map_err(|error| error.to_string())
}

/// Refuses batches with an unsupported compression, with buffers outside their bodies, and with buffers that claim an
/// impossible size: the decoder would panic, or allocate that much.
fn check(batch: Option<arrow_ipc::RecordBatch<'_>>, body: &[u8]) -> Result<(), String> {
    let Some(batch) = batch else { return Ok(()) };
    let compression = batch.compression().map(|compression| compression.codec());
    if let Some(codec) = compression.filter(|codec| *codec != CompressionType::LZ4_FRAME) {
        let codec = codec.variant_name().unwrap_or("an unknown method").to_lowercase();
        return Err(format!("batches compressed by {codec} are not read; uncompressed ones and those of lz4 are"));
    }
    for part in batch.buffers().into_iter().flatten() {
        let (start, length) = (usize::try_from(part.offset()), usize::try_from(part.length()));
        let bytes = match (start, length) {
            (Ok(start), Ok(length)) => body.get(start..).and_then(|bytes| bytes.get(..length)),
            _ => None,
        };
        let Some(bytes) = bytes else {
            return Err("the file is damaged: a part of a batch is outside of it".to_owned());
        };
        let size = bytes.first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes));
        if compression.is_some() && size > part.length().saturating_mul(LARGEST_RATIO) {
            return Err("the file is damaged: a part of a batch says that it is larger than it can be".to_owned());
        }
    }
    Ok(())
}
