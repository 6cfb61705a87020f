import Foundation

/// A call whose form is right and whose token is good.
struct DropboxCall: Sendable {
    let lab: DropboxLab
    let account: DropboxAccount
    let scope: DropboxScope
    let settings: DropboxSettings
    let arguments: JSONValue
    let request: LabRequest

    /// The date that the clock shows.
    var now: Date { lab.clock.now }
    var storage: CloudStorage { account.storage }
    /// The misbehaviour that the route is to show.
    var fault: Fault? { request.fault }

    /// Returns a text argument; the check of the form has made sure that a required one is there.
    func text(_ name: String) -> String { arguments[name]?.string ?? "" }

    /// Returns a Boolean argument.
    func flag(_ name: String, default value: Bool = false) -> Bool { arguments[name]?.bool ?? value }
}
