#if canImport(Darwin)
import Darwin

/// Tells one start of the machine from another; `nil` where the system doesn't.
func systemStart() -> String? {
    var text = [CChar](repeating: 0, count: 64)
    var size = text.count - 1
    guard sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
#endif
