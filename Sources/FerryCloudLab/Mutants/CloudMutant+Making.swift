extension CloudMutant {
    /// Makes a mistake in requests.
    ///
    /// - Parameters:
    ///   - name: The name, without the service's.
    ///   - service: The service.
    ///   - mistake: The mistake, as a sentence.
    ///   - change: Changes a request before the service sees it.
    /// - Returns: The mistake.
    static func request(
        _ name: String,
        of service: String,
        _ mistake: String,
        _ change: @escaping @Sendable (inout LabCall) -> Void
    ) -> CloudMutant {
        CloudMutant(name, of: service, mistake) { call, service in
            var call = call
            change(&call)
            return await service(call)
        }
    }

    /// Makes a mistake in answers.
    ///
    /// - Parameters:
    ///   - name: The name, without the service's.
    ///   - service: The service.
    ///   - mistake: The mistake, as a sentence.
    ///   - change: Changes the answer to a request.
    /// - Returns: The mistake.
    static func answer(
        _ name: String,
        of service: String,
        _ mistake: String,
        _ change: @escaping @Sendable (inout LabResponse, LabCall) -> Void
    ) -> CloudMutant {
        CloudMutant(name, of: service, mistake) { call, service in
            var response = await service(call)
            change(&response, call)
            return response
        }
    }

    /// Makes a mistake in the JSON of answers that are no errors.
    ///
    /// - Parameters:
    ///   - name: The name, without the service's.
    ///   - service: The service.
    ///   - mistake: The mistake, as a sentence.
    ///   - change: Changes an object of an answer, of whatever depth.
    /// - Returns: The mistake.
    static func objects(
        _ name: String,
        of service: String,
        _ mistake: String,
        _ change: @escaping @Sendable (inout JSONObject, LabCall) -> Void
    ) -> CloudMutant {
        answer(name, of: service, mistake) { response, call in
            guard (200..<300).contains(response.status) else { return }
            response.changeJSON { value in value.changeObjects { change(&$0, call) } }
        }
    }
}

/// A request, and the operation that it is for.
struct LabCall: Sendable {
    var request: LabRequest
    var route: String
}
