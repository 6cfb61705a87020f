import FerryCore

extension ChecksumKind {
    /// Indicates whether equal checksums mean equal contents, as far as accidents go.
    ///
    /// QuickXorHash adds up bits that lie 160 bytes apart: contents whose blocks have changed places have the same one, and
    /// so have files of one repeated byte, whichever it is, if their size is a multiple of 320. It finds transfers that
    /// went wrong; that two files are the same it doesn't say.
    var provesSameness: Bool { self != .quickXor }
}
