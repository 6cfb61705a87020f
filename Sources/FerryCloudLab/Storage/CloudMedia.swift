public import Foundation

/// The properties of a photo, a video or a song; the lab decodes no file, so that tests say what is in it.
public struct CloudMedia: Sendable, Hashable {
    /// The width in pixels.
    public var width: Int?
    /// The height in pixels.
    public var height: Int?
    /// The date at which a photo was taken.
    public var taken: Date?
    /// The maker of the camera.
    public var cameraMake: String?
    /// The model of the camera.
    public var cameraModel: String?
    /// The latitude in degrees, north positive.
    public var latitude: Double?
    /// The longitude in degrees, east positive.
    public var longitude: Double?
    /// The length of a video or song.
    public var duration: Duration?
    /// The title of a song.
    public var title: String?
    /// The artist of a song.
    public var artist: String?
    /// The album of a song.
    public var album: String?

    /// Makes properties of which none is known.
    public init() {}
}
