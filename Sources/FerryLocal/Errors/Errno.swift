import Foundation

/// The number by which the system says why it refused.
struct Errno: Error, Hashable {
    let code: CInt

    init(_ code: CInt) {
        self.code = code
    }

    /// Why the last call on this thread failed; read it before anything else is called.
    static var last: Errno { Errno(errno) }

    /// Returns whether this is one of some numbers.
    func isAny(of codes: CInt...) -> Bool { codes.contains(code) }

    /// Indicates whether the system, or this file system, has no such call: another way is to be tried.
    var isUnsupported: Bool { isAny(of: ENOSYS, EOPNOTSUPP, EINVAL, ENOTTY, EXDEV) }
}

/// Makes a system call, again if a signal interrupts it.
///
/// - Parameter call: The call, which answers -1 and sets `errno` when it fails.
/// - Returns: The call's answer, at least 0.
/// - Throws: Why it failed.
@inline(__always)
@discardableResult
func system<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        let failure = Errno.last
        if failure.code != EINTR { throw failure }
    }
}
