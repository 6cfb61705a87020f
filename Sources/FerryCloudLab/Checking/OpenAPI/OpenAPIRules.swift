/// The rules of a service that its OpenAPI document doesn't hold.
protocol OpenAPIRules: Sendable {
    /// Returns `true` if a property that isn't described is allowed nevertheless, as an annotation is.
    func allows(property name: String, value: JSONValue, in side: CloudFinding.Side) -> Bool

    /// Returns what is wrong with an object beyond its schema.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - names: The names of the schemas that it is made of.
    ///   - side: The part of the exchange that holds it.
    /// - Returns: Properties, `nil` for the object itself, and sentences.
    func complaints(
        about object: JSONObject,
        schemas names: Set<String>,
        in side: CloudFinding.Side
    ) -> [(property: String?, sentence: String)]
}
