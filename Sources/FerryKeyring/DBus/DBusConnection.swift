import Foundation

/// A connection to a bus; its calls block.
///
/// Unchecked, because the pointer is libdbus's, which locks for itself once `dbus_threads_init_default` was called.
final class DBusConnection: @unchecked Sendable {
    private static let timeLimit: Int32 = 25_000  // milliseconds, as libdbus itself would take

    private let library: DBusLibrary
    private let connection: OpaquePointer

    /// Connects.
    ///
    /// - Parameters:
    ///   - address: Where the bus is, as in `DBUS_SESSION_BUS_ADDRESS`.
    ///   - library: The loaded library.
    /// - Throws: ``DBusError``.
    init(address: String, library: DBusLibrary) throws {
        self.library = library
        connection = try DBusError.catching(library) { error in
            address.withCString { library.open($0, error) }
        }
        library.setExitOnDisconnect(connection, 0)
        _ = try DBusError.catching(library) { error in
            library.register(connection, error) == 0 ? nil : connection
        }
    }

    deinit {
        library.close(connection)
        library.release(connection)
    }

    /// Indicates whether the bus is still there.
    var isConnected: Bool { library.isConnected(connection) != 0 }

    /// Calls a method, and waits for its answer.
    ///
    /// - Parameters:
    ///   - destination: The name of the service that has the method; all paths below are its own.
    ///   - path: Of which object.
    ///   - interface: Of which interface.
    ///   - method: Which.
    ///   - values: Its arguments.
    /// - Returns: The values that the method returns.
    /// - Throws: ``DBusError``.
    func call(
        _ destination: String,
        _ path: String,
        _ interface: String,
        _ method: String,
        _ values: [DBusValue] = []
    ) throws -> [DBusValue] {
        guard let message = library.newCall(destination, path, interface, method) else { throw DBusError.noMemory }
        defer { library.releaseMessage(message) }
        let end = DBusPlace(library)
        library.startWriting(message, end.raw)
        for value in values where !end.write(value) { throw DBusError.noMemory }
        let reply = try DBusError.catching(library) { error in
            library.call(connection, message, Self.timeLimit, error)
        }
        defer { library.releaseMessage(reply) }
        return contents(of: reply)
    }

    /// Has the bus tell us of a signal.
    ///
    /// - Parameter rule: Which, as the bus wants it said.
    func watch(_ rule: String) {
        library.addMatch(connection, rule, nil)
    }

    /// Waits for a signal of an object.
    ///
    /// - Parameters:
    ///   - name: Which signal.
    ///   - interface: Of which interface.
    ///   - path: Of which object.
    ///   - seconds: How long to wait.
    /// - Returns: The signal's values; `nil` when the time is over or the bus is gone.
    func signal(_ name: String, _ interface: String, path: String, seconds: Int) -> [DBusValue]? {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            guard library.readWrite(connection, 500) != 0 else { return nil }
            while let message = library.popMessage(connection) {
                defer { library.releaseMessage(message) }
                let isOurs = library.messagePath(message).map { String(cString: $0) } == path
                if isOurs, library.isSignal(message, interface, name) != 0 { return contents(of: message) }
            }
        }
        return nil
    }

    private func contents(of message: OpaquePointer) -> [DBusValue] {
        let start = DBusPlace(library)
        return library.startReading(message, start.raw) == 0 ? [] : start.readAll()
    }
}

/// The refusal of a bus or a service on it; it never holds a secret.
struct DBusError: Error, Hashable {
    /// As in `org.freedesktop.DBus.Error.ServiceUnknown`.
    let name: String
    let message: String

    static var noMemory: DBusError { DBusError(name: "org.freedesktop.DBus.Error.NoMemory", message: "no memory") }

    /// Calls a function that fails by returning nothing, and saying why.
    fileprivate static func catching(
        _ library: DBusLibrary,
        _ body: (UnsafeMutableRawPointer) -> OpaquePointer?
    ) throws -> OpaquePointer {
        // libdbus's `DBusError`: name, message, five bits, a pointer.
        let error = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        defer { error.deallocate() }
        library.errorInit(error)
        defer { library.errorFree(error) }
        if let result = body(error) { return result }
        let texts = error.assumingMemoryBound(to: UnsafePointer<CChar>?.self)
        throw DBusError(
            name: texts[0].map { String(cString: $0) } ?? "",
            message: texts[1].map { String(cString: $0) } ?? ""
        )
    }
}
