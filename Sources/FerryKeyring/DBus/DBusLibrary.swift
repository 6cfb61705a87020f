import Foundation

/// The functions of libdbus that we use, found when they are first needed.
///
/// Linking it would make every start of a program load it, also where nobody asks for a secret; and there are machines
/// without it.
struct DBusLibrary: Sendable {
    typealias Pointer = OpaquePointer
    typealias Raw = UnsafeMutableRawPointer
    typealias Text = UnsafePointer<CChar>

    let threadsInit: @convention(c) () -> UInt32
    let errorInit: @convention(c) (Raw) -> Void
    let errorFree: @convention(c) (Raw) -> Void
    let open: @convention(c) (Text, Raw) -> Pointer?
    let register: @convention(c) (Pointer, Raw) -> UInt32
    let setExitOnDisconnect: @convention(c) (Pointer, UInt32) -> Void
    let close: @convention(c) (Pointer) -> Void
    let release: @convention(c) (Pointer) -> Void
    let isConnected: @convention(c) (Pointer) -> UInt32
    let call: @convention(c) (Pointer, Pointer, Int32, Raw) -> Pointer?
    let addMatch: @convention(c) (Pointer, Text, Raw?) -> Void
    let readWrite: @convention(c) (Pointer, Int32) -> UInt32
    let popMessage: @convention(c) (Pointer) -> Pointer?
    let newCall: @convention(c) (Text?, Text, Text?, Text) -> Pointer?
    let releaseMessage: @convention(c) (Pointer) -> Void
    let isSignal: @convention(c) (Pointer, Text, Text) -> UInt32
    let messagePath: @convention(c) (Pointer) -> Text?
    let startReading: @convention(c) (Pointer, Raw) -> UInt32
    let startWriting: @convention(c) (Pointer, Raw) -> Void
    let append: @convention(c) (Raw, Int32, UnsafeRawPointer) -> UInt32
    let appendArray: @convention(c) (Raw, Int32, UnsafeRawPointer, Int32) -> UInt32
    let openContainer: @convention(c) (Raw, Int32, Text?, Raw) -> UInt32
    let closeContainer: @convention(c) (Raw, Raw) -> UInt32
    let type: @convention(c) (Raw) -> Int32
    let elementType: @convention(c) (Raw) -> Int32
    let basic: @convention(c) (Raw, Raw) -> Void
    let array: @convention(c) (Raw, Raw, UnsafeMutablePointer<Int32>) -> Void
    let recurse: @convention(c) (Raw, Raw) -> Void
    let next: @convention(c) (Raw) -> UInt32

    /// Loads the library; `nil` where there is none.
    static let loaded = DBusLibrary()

    private init?() {
        guard let library = dlopen("libdbus-1.so.3", RTLD_NOW | RTLD_LOCAL) else { return nil }
        func find<Function>(_ name: String, as type: Function.Type = Function.self) -> Function? {
            // The types above are those of the library's headers, which have not changed since version 1.0.
            dlsym(library, name).map { unsafeBitCast($0, to: type) }
        }
        guard let threadsInit: @convention(c) () -> UInt32 = find("dbus_threads_init_default"),
            let errorInit: @convention(c) (Raw) -> Void = find("dbus_error_init"),
            let errorFree: @convention(c) (Raw) -> Void = find("dbus_error_free"),
            let open: @convention(c) (Text, Raw) -> Pointer? = find("dbus_connection_open_private"),
            let register: @convention(c) (Pointer, Raw) -> UInt32 = find("dbus_bus_register"),
            let setExit: @convention(c) (Pointer, UInt32) -> Void = find("dbus_connection_set_exit_on_disconnect"),
            let close: @convention(c) (Pointer) -> Void = find("dbus_connection_close"),
            let release: @convention(c) (Pointer) -> Void = find("dbus_connection_unref"),
            let isConnected: @convention(c) (Pointer) -> UInt32 = find("dbus_connection_get_is_connected"),
            let call: @convention(c) (Pointer, Pointer, Int32, Raw) -> Pointer? =
                find("dbus_connection_send_with_reply_and_block"),
            let addMatch: @convention(c) (Pointer, Text, Raw?) -> Void = find("dbus_bus_add_match"),
            let readWrite: @convention(c) (Pointer, Int32) -> UInt32 = find("dbus_connection_read_write"),
            let popMessage: @convention(c) (Pointer) -> Pointer? = find("dbus_connection_pop_message"),
            let newCall: @convention(c) (Text?, Text, Text?, Text) -> Pointer? = find("dbus_message_new_method_call"),
            let releaseMessage: @convention(c) (Pointer) -> Void = find("dbus_message_unref"),
            let isSignal: @convention(c) (Pointer, Text, Text) -> UInt32 = find("dbus_message_is_signal"),
            let messagePath: @convention(c) (Pointer) -> Text? = find("dbus_message_get_path")
        else { return nil }
        guard let startReading: @convention(c) (Pointer, Raw) -> UInt32 = find("dbus_message_iter_init"),
            let startWriting: @convention(c) (Pointer, Raw) -> Void = find("dbus_message_iter_init_append"),
            let append: @convention(c) (Raw, Int32, UnsafeRawPointer) -> UInt32 = find(
                "dbus_message_iter_append_basic"
            ),
            let appendArray: @convention(c) (Raw, Int32, UnsafeRawPointer, Int32) -> UInt32 =
                find("dbus_message_iter_append_fixed_array"),
            let openContainer: @convention(c) (Raw, Int32, Text?, Raw) -> UInt32 =
                find("dbus_message_iter_open_container"),
            let closeContainer: @convention(c) (Raw, Raw) -> UInt32 = find("dbus_message_iter_close_container"),
            let type: @convention(c) (Raw) -> Int32 = find("dbus_message_iter_get_arg_type"),
            let elementType: @convention(c) (Raw) -> Int32 = find("dbus_message_iter_get_element_type"),
            let basic: @convention(c) (Raw, Raw) -> Void = find("dbus_message_iter_get_basic"),
            let array: @convention(c) (Raw, Raw, UnsafeMutablePointer<Int32>) -> Void =
                find("dbus_message_iter_get_fixed_array"),
            let recurse: @convention(c) (Raw, Raw) -> Void = find("dbus_message_iter_recurse"),
            let next: @convention(c) (Raw) -> UInt32 = find("dbus_message_iter_next")
        else { return nil }
        (self.threadsInit, self.errorInit, self.errorFree) = (threadsInit, errorInit, errorFree)
        (self.open, self.register, self.setExitOnDisconnect) = (open, register, setExit)
        (self.close, self.release, self.isConnected, self.call) = (close, release, isConnected, call)
        (self.addMatch, self.readWrite, self.popMessage) = (addMatch, readWrite, popMessage)
        (self.newCall, self.releaseMessage) = (newCall, releaseMessage)
        (self.isSignal, self.messagePath) = (isSignal, messagePath)
        (self.startReading, self.startWriting) = (startReading, startWriting)
        (self.append, self.appendArray) = (append, appendArray)
        (self.openContainer, self.closeContainer) = (openContainer, closeContainer)
        (self.type, self.elementType, self.basic, self.array) = (type, elementType, basic, array)
        (self.recurse, self.next) = (recurse, next)
        guard threadsInit() != 0 else { return nil }
    }
}
