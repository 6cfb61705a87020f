public struct VolumeObject: Sendable, Hashable, Codable {
    public init() {}
}
