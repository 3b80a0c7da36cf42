//! Correct checksums for changed files: behind a wrong one nothing is read.

const PNG_SIGNATURE: usize = 8;

/// Returns a PNG file with the checksum of every chunk made right.
pub(super) fn with_png_checksums(bytes: &[u8]) -> Vec<u8> {
    let mut png = bytes.to_vec();
    let mut at = PNG_SIGNATURE;
    while let Some(head) = png.get(at..at + 8) {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let end = at + 8 + length;
        if png.len() < end + 4 {
            break;
        }
        let sum = crc32(&png[at + 4..end]);
        png[end..end + 4].copy_from_slice(&sum.to_be_bytes());
        at = end + 4;
    }
    png
}

/// Returns a saved walk with the checksum in its first line made right.
pub(super) fn with_walk_checksum(bytes: &[u8]) -> Option<Vec<u8>> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let (words, _) = head.rsplit_once(' ')?;
    let json = &bytes[end + 1..];
    Some([format!("{words} {:016x}\n", fnv1a_64(json)).as_bytes(), json].concat())
}

/// Returns the checkpoint of an atlas with the checksums of its header and of its blocks made right.
pub(super) fn with_checkpoint_checksums(bytes: &[u8]) -> Option<Vec<u8>> {
    const BLOCK_HEADER: usize = 8;
    const CELL: usize = 16;
    let magic = bytes.iter().position(|&byte| byte == b'\n')? + 1;
    let header = magic + bytes[magic..].iter().position(|&byte| byte == b'\n')? + 1;
    let mut repaired = bytes[..header].to_vec();
    repaired.extend(format!("{:016x}\n", fnv1a_64(&bytes[..header])).as_bytes());
    let mut rest = bytes.get(header + 17..).unwrap_or_default();
    while let Some(head) = rest.first_chunk::<BLOCK_HEADER>() {
        let count = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let length = BLOCK_HEADER + CELL * count.min(1 << 16);
        let Some((block, behind)) = rest.split_at_checked(length) else { break };
        repaired.extend(block);
        repaired.extend(fnv1a_64(block).to_le_bytes());
        rest = behind.get(8..).unwrap_or_default();
    }
    repaired.extend(rest);
    Some(repaired)
}

/// The checksum of a PNG chunk (RFC 2083, appendix 15).
fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), |sum, _| step(sum)))
}

fn fnv1a_64(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
