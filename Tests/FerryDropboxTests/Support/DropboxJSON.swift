/// Descriptions as Dropbox sends them.
enum DropboxJSON {
    /// A file, with a field that is not known.
    static func file(_ name: String, id: String = "id:1", rev: String = "015f00000001", size: Int = 1) -> String {
        """
        {".tag":"file","name":"\(name)","id":"\(id)","path_lower":"/\(name.lowercased())","path_display":"/\(name)",\
        "rev":"\(rev)","size":\(size),"client_modified":"2015-05-12T15:50:38Z","server_modified":"2015-05-12T15:50:38Z",\
        "unknown_field":{".tag":"new"}}
        """
    }
}
