#if os(Linux)
extension LocalFileProvider {
    /// `a` and `A` are two names on the usual file systems.
    static var isCaseSensitive: Bool { true }

    /// Names are bytes.
    static var distinguishesNormalizationForms: Bool { true }
}
#endif
