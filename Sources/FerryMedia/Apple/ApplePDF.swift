#if canImport(ImageIO) && canImport(AVFoundation) && canImport(PDFKit)
import CoreGraphics
import FerryCore
import Foundation
import PDFKit

/// A document that PDFKit reads.
struct ApplePDF {
    private let document: PDFDocument
    private let path: ItemPath

    init(_ data: Data, _ path: ItemPath) throws {
        guard let document = PDFDocument(data: data) else {
            throw CocoaError.file(.fileReadCorruptFile, path: path, description: "it is damaged")
        }
        guard !document.isLocked else {
            throw CocoaError.file(.fileReadNoPermission, path: path, description: "it needs a password")
        }
        self.document = document
        self.path = path
    }

    /// A picture of a page on white.
    func image(_ options: ThumbnailOptions) throws -> CGImage {
        guard let page = document.page(at: options.page - 1) else {
            throw CocoaError.file(.featureUnsupported, path: path, description: "there is no such page")
        }
        let bounds = page.bounds(for: .cropBox)
        let scale = AppleEncoder.scale(bounds.size, options, enlarges: true)
        let (width, height) = (max(1, Int(bounds.width * scale)), max(1, Int(bounds.height * scale)))
        guard let context = AppleEncoder.context(width, height) else {
            throw CocoaError.file(.fileReadTooLarge, path: path)
        }
        context.setFillColor(gray: 1, alpha: 1)
        context.fill(CGRect(x: 0, y: 0, width: width, height: height))
        context.scaleBy(x: scale, y: scale)
        page.draw(with: .cropBox, to: context)
        guard let image = context.makeImage() else { throw CocoaError.file(.fileReadTooLarge, path: path) }
        return image
    }

    /// The properties in the document.
    var properties: FileProperties {
        let facts = document.documentAttributes ?? [:]
        var properties: [FileProperties.Property] = []
        func add(_ key: FilePropertyKey, _ attribute: PDFDocumentAttribute) {
            if let text = facts[attribute] as? String { properties.append(.init(key, .text(text))) }
        }
        add(.title, .titleAttribute)
        add(.author, .authorAttribute)
        add(.subject, .subjectAttribute)
        add(.producer, .producerAttribute)
        if let keywords = facts[PDFDocumentAttribute.keywordsAttribute] as? [String] {
            properties.append(.init(.keywords, .list(keywords.map { .text($0) })))
        }
        properties.append(.init(.version, .text("\(document.majorVersion).\(document.minorVersion)")))
        properties.append(.init(.pages, .integer(Int64(document.pageCount))))
        return FileProperties(properties)
    }
}
#endif
