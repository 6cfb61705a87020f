import FerryHTTP
import HTTPTypes

extension HTTPField.Name {
    /// The argument of a route whose body is a content.
    static let dropboxArgument = known("Dropbox-API-Arg")
    /// The result of a route whose body is a content.
    static let dropboxResult = known("Dropbox-API-Result")
    /// The folder or team space that paths begin at.
    static let dropboxPathRoot = known("Dropbox-API-Path-Root")
}
