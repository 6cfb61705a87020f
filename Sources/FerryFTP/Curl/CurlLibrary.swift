import CCurl
import Foundation

/// The functions of libcurl that we use, found when FTP is first used.
///
/// Linking it would make every start of a program load it and the thirty libraries that it brings, also where nobody
/// speaks FTP.
struct CurlLibrary: Sendable {
    typealias Handle = UnsafeMutableRawPointer
    typealias List = UnsafeMutablePointer<curl_slist>

    let easyInit: @convention(c) () -> Handle?
    let easyReset: @convention(c) (Handle) -> Void
    let easyCleanup: @convention(c) (Handle) -> Void
    let multiInit: @convention(c) () -> Handle?
    let multiCleanup: @convention(c) (Handle) -> UInt32
    let multiAdd: @convention(c) (Handle, Handle) -> Int32
    let multiRemove: @convention(c) (Handle, Handle) -> Int32
    let multiPerform: @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> Int32
    let multiPoll: @convention(c) (Handle, Handle?, UInt32, Int32, UnsafeMutablePointer<Int32>?) -> Int32
    let multiWakeup: @convention(c) (Handle) -> Int32
    let multiInfo: @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> UnsafeMutablePointer<CURLMsg>?
    let listAppend: @convention(c) (List?, UnsafePointer<CChar>) -> List?
    let listFree: @convention(c) (List?) -> Void
    let errorText: @convention(c) (UInt32) -> UnsafePointer<CChar>?

    /// The version, as libcurl counts: `0x075801` is 7.88.1.
    let version: UInt32

    // Addresses of the two variadic functions, which only C can call.
    private let setOption: UInt
    private let getInfo: UInt

    /// Loads the library; `nil` where there is none that is new enough (7.77, which takes certificates from memory).
    static let loaded = CurlLibrary()

    #if canImport(Darwin)
    private static let names = ["/usr/lib/libcurl.4.dylib"]
    #else
    private static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
    #endif

    private init?() {
        guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else { return nil }
        func find<Function>(_ name: String, as type: Function.Type = Function.self) -> Function? {
            // The types above are those of the library's headers, which hold for all of `libcurl.so.4`.
            dlsym(library, name).map { unsafeBitCast($0, to: type) }
        }
        typealias Perform = @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> Int32
        typealias Poll = @convention(c) (Handle, Handle?, UInt32, Int32, UnsafeMutablePointer<Int32>?) -> Int32
        typealias Info = @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> UnsafeMutablePointer<CURLMsg>?
        typealias VersionInfo = @convention(c) (UInt32) -> UnsafeMutablePointer<curl_version_info_data>?
        guard let globalInit: @convention(c) (Int) -> UInt32 = find("curl_global_init"),
            let versionInfo: VersionInfo = find("curl_version_info"),
            let easyInit: @convention(c) () -> Handle? = find("curl_easy_init"),
            let easyReset: @convention(c) (Handle) -> Void = find("curl_easy_reset"),
            let easyCleanup: @convention(c) (Handle) -> Void = find("curl_easy_cleanup"),
            let multiInit: @convention(c) () -> Handle? = find("curl_multi_init"),
            let multiCleanup: @convention(c) (Handle) -> UInt32 = find("curl_multi_cleanup"),
            let multiAdd: @convention(c) (Handle, Handle) -> Int32 = find("curl_multi_add_handle"),
            let multiRemove: @convention(c) (Handle, Handle) -> Int32 = find("curl_multi_remove_handle"),
            let multiPerform: Perform = find("curl_multi_perform"),
            let multiPoll: Poll = find("curl_multi_poll"),
            let multiWakeup: @convention(c) (Handle) -> Int32 = find("curl_multi_wakeup"),
            let multiInfo: Info = find("curl_multi_info_read")
        else { return nil }
        guard let listAppend: @convention(c) (List?, UnsafePointer<CChar>) -> List? = find("curl_slist_append"),
            let listFree: @convention(c) (List?) -> Void = find("curl_slist_free_all"),
            let errorText: @convention(c) (UInt32) -> UnsafePointer<CChar>? = find("curl_easy_strerror"),
            let setOption = dlsym(library, "curl_easy_setopt"), let getInfo = dlsym(library, "curl_easy_getinfo")
        else { return nil }
        // 3 is CURL_GLOBAL_ALL, whose macro Swift doesn't import.
        guard globalInit(3) == 0, let version = versionInfo(0)?.pointee.version_num, version >= 0x074D00 else {
            return nil
        }
        (self.easyInit, self.easyReset, self.easyCleanup) = (easyInit, easyReset, easyCleanup)
        (self.multiInit, self.multiCleanup, self.multiAdd) = (multiInit, multiCleanup, multiAdd)
        (self.multiRemove, self.multiPerform, self.multiPoll) = (multiRemove, multiPerform, multiPoll)
        (self.multiWakeup, self.multiInfo) = (multiWakeup, multiInfo)
        (self.listAppend, self.listFree, self.errorText) = (listAppend, listFree, errorText)
        self.version = version
        (self.setOption, self.getInfo) = (UInt(bitPattern: setOption), UInt(bitPattern: getInfo))
    }
}

// MARK: - Options and facts of a handle

extension CurlLibrary {
    private var setter: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: setOption) }
    private var getter: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: getInfo) }

    func set(_ option: CURLoption, _ value: Int, of handle: Handle) {
        _ = ferry_curl_set_long(setter, handle, option, value)
    }

    func set(_ option: CURLoption, offset value: Int64, of handle: Handle) {
        _ = ferry_curl_set_offset(setter, handle, option, curl_off_t(value))
    }

    func set(_ option: CURLoption, _ text: String, of handle: Handle) {
        _ = text.withCString { ferry_curl_set_pointer(setter, handle, option, $0) }
    }

    func set(_ option: CURLoption, pointer: UnsafeRawPointer?, of handle: Handle) {
        _ = ferry_curl_set_pointer(setter, handle, option, pointer)
    }

    func set(_ option: CURLoption, function: @convention(c) () -> Void, of handle: Handle) {
        _ = ferry_curl_set_function(setter, handle, option, function)
    }

    func text(_ info: CURLINFO, of handle: Handle) -> [UInt8]? {
        var text: UnsafeMutablePointer<CChar>?
        guard ferry_curl_get_text(getter, handle, info, &text) == CURLE_OK, let text else { return nil }
        return UnsafeRawBufferPointer(start: text, count: strlen(text)).map { $0 }
    }

    func number(_ info: CURLINFO, of handle: Handle) -> Int {
        var number = 0
        _ = ferry_curl_get_long(getter, handle, info, &number)
        return number
    }

    func socket(_ info: CURLINFO, of handle: Handle) -> curl_socket_t? {
        var socket: curl_socket_t = -1
        guard ferry_curl_get_socket(getter, handle, info, &socket) == CURLE_OK, socket >= 0 else { return nil }
        return socket
    }

    func message(_ code: UInt32) -> String { errorText(code).map { String(cString: $0) } ?? "error \(code)" }
}
