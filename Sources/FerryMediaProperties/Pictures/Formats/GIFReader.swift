/// Reads a GIF's header (GIF89a, §18).
enum GIFReader {
    static func read(_ file: any RandomBytes) throws -> PictureFacts {
        var facts = PictureFacts()
        let head = try file.bytes(at: 6, 4)
        facts.size = (head[0..<2].number(.little), head[2..<4].number(.little))
        facts.colorModel = "RGB"
        facts.depth = 8
        return facts
    }
}
