extension MediaGenerator {
    /// Returns what decodes if nothing else is said.
    static func usualEngine() -> any MediaEngine {
        #if canImport(ImageIO) && canImport(AVFoundation) && canImport(PDFKit)
        AppleMediaEngine()
        #else
        MediaHelper()
        #endif
    }
}
