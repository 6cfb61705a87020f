/// A request, and the operation that it is for.
struct LabCall: Sendable {
    var request: LabRequest
    var route: String
}
