import FerryCore
import Foundation

/// Gives copies what originals have besides their content, as far as both storages can.
struct AttributeKeeper: Sendable {
    private let source: (any FileProviderItemAttributes)?
    private let target: (any FileProviderItemAttributes)?

    init(from source: TransferPlace, to target: TransferPlace) {
        self.source = source.storage as? any FileProviderItemAttributes
        self.target = target.storage as? any FileProviderItemAttributes
    }

    /// What of an item can be set at the target.
    var settable: ItemAttributes.Kinds { target?.settableAttributes ?? [] }

    /// Gives a copy its original's permissions and extended attributes.
    ///
    /// - Parameters:
    ///   - item: The original.
    ///   - place: The path of the copy.
    ///   - losses: What is known to be lost; what was kept is taken out, what is found to be lost is added.
    /// - Throws: `CancellationError` only: what can't be kept is a loss.
    func keep(_ item: FileObject, at place: ItemPath, _ losses: inout Set<TransferReport.Loss>) async throws {
        guard item.isRegularFile else { return }
        var attributes = ItemAttributes()
        if let source, source.settableAttributes.contains(.extendedAttributes) {
            do {
                attributes.extendedAttributes = try await source.extendedAttributes(path: item.path)
            } catch let error as CancellationError {
                throw error
            } catch {
                losses.insert(.extendedAttributes)
            }
        }
        if !settable.contains(.extendedAttributes), !attributes.extendedAttributes.isEmpty {
            attributes.extendedAttributes = [:]
            losses.insert(.extendedAttributes)
        }
        if settable.contains(.permissions) { attributes.permissions = item.permissions }
        guard let target, !attributes.isEmpty else { return }
        do {
            try await target.setAttributes(attributes, path: place)
            if attributes.permissions != nil { losses.remove(.permissions) }
        } catch let error as CancellationError {
            throw error
        } catch {
            if attributes.permissions != nil { losses.insert(.permissions) }
            if !attributes.extendedAttributes.isEmpty { losses.insert(.extendedAttributes) }
        }
    }

    /// Gives an item the date of its original.
    ///
    /// - Parameters:
    ///   - item: The original.
    ///   - place: The path of the copy.
    /// - Throws: What the target throws.
    func setDate(of item: FileObject, at place: ItemPath) async throws {
        guard let target, let date = item.modifiedDate else { return }
        try await target.setAttributes(ItemAttributes(modifiedDate: date), path: place)
    }
}
