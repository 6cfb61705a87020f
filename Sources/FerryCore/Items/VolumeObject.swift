public struct VolumeObject: Sendable, Hashable, Codable {
    public init(name: String? = nil, totalCapacity: Int64? = nil, availableCapacity: Int64? = nil, usedCapacity: Int64? = nil, isReadOnly: Bool? = nil) {}
}
