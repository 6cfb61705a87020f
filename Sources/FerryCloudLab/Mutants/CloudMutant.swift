/// A deliberate mistake of an emulated service: judges that don't notice it would not notice a real one either.
///
/// A mistake rewrites requests before the service sees them, or answers after it has given them.
package struct CloudMutant: Sendable {
    typealias Service = @Sendable (LabCall) async -> LabResponse

    /// The name, which begins with the service's, such as `dropbox-hash`.
    package let name: String
    /// The mistake, as a sentence.
    package let mistake: String
    /// The name of the service that makes it.
    package let service: String

    private let respond: @Sendable (LabCall, Service) async -> LabResponse

    init(
        _ name: String,
        of service: String,
        _ mistake: String,
        respond: @escaping @Sendable (LabCall, Service) async -> LabResponse
    ) {
        self.name = "\(service)-\(name)"
        self.service = service
        self.mistake = mistake
        self.respond = respond
    }

    /// Answers a request, wrongly where the mistake shows.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - service: The service without the mistake.
    /// - Returns: The answer.
    func answer(_ call: LabCall, by service: Service) async -> LabResponse { await respond(call, service) }
}

extension CloudMutant {
    /// All mistakes.
    package static let all = dropbox + graph

    /// Returns the mistake of a name.
    ///
    /// - Parameter name: The name.
    /// - Returns: The mistake; `nil` if there is none of that name.
    package static func named(_ name: String) -> CloudMutant? { all.first { $0.name == name } }

    /// Returns the mistake that whoever runs the tests has asked for.
    ///
    /// - Parameter environment: The variables of the process: `FERRY_LAB_MUTANT` is a name.
    /// - Returns: The mistake; `nil` if none is asked for, or there is none of that name.
    package static func requested(in environment: [String: String]) -> CloudMutant? {
        environment["FERRY_LAB_MUTANT"].flatMap(named)
    }
}
