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

    /// The attributes of an item that can be set at the target.
    var settable: ItemAttributes.Kinds { target?.settableAttributes ?? [] }

    /// Gives a copy its original's permissions and extended attributes.
    ///
    /// - Parameters:
    ///   - item: The original.
    ///   - place: The path of the copy.
    ///   - losses: The known losses; those that were averted are taken out, those that are found are added.
    ///   - hasExtendedAttributes: `true` if the original has any; `nil` if nobody has looked.
    /// - Throws: `CancellationError` only: what can't be kept is a loss.
    func keep(
        _ item: FileObject,
        at place: ItemPath,
        _ losses: inout Set<TransferReport.Loss>,
        hasExtendedAttributes: Bool? = nil
    ) async throws {
        guard item.isRegularFile else { return }
        var values: [String: Data] = [:]
        if hasExtendedAttributes != false, let source, source.settableAttributes.contains(.extendedAttributes) {
            do {
                values = try await source.extendedAttributes(path: item.path)
            } catch let error as CancellationError {
                throw error
            } catch {
                losses.insert(.extendedAttributes)
            }
        }
        if !settable.contains(.extendedAttributes), !values.isEmpty {
            values = [:]
            losses.insert(.extendedAttributes)
        }
        // One after the other: a file system may refuse one of them, which says nothing of the other.
        if !values.isEmpty {
            try await set(ItemAttributes(extendedAttributes: values), at: place, .extendedAttributes, &losses)
        }
        if settable.contains(.permissions), let permissions = item.permissions {
            try await set(ItemAttributes(permissions: permissions), at: place, .permissions, &losses)
        }
    }

    private func set(
        _ attributes: ItemAttributes,
        at place: ItemPath,
        _ loss: TransferReport.Loss,
        _ losses: inout Set<TransferReport.Loss>
    ) async throws {
        do {
            try await target?.setAttributes(attributes, path: place)
            losses.remove(loss)
        } catch let error as CancellationError {
            throw error
        } catch {
            losses.insert(loss)
        }
    }

    /// Gives a file, whose content is the same already, what else its original has.
    ///
    /// - Parameters:
    ///   - action: The action, whose reason says what to set; permissions in any case, where they are known to differ.
    ///   - place: The path of the copy.
    /// - Throws: Any error that the target throws.
    func align(_ action: TransferAction, at place: ItemPath) async throws {
        guard let target, let item = action.source else { return }
        var attributes = ItemAttributes()
        if action.reason != .permissions { attributes.modifiedDate = item.modifiedDate }
        if let other = action.target, mustPermit(item, other) { attributes.permissions = item.permissions }
        if attributes.isEmpty { return }
        try await target.setAttributes(attributes, path: place)
    }

    /// Returns whether a file has other permissions than its original, and can be given these.
    func mustPermit(_ item: FileObject, _ copy: FileObject) -> Bool {
        item.isRegularFile && settable.contains(.permissions) && item.permissionsDiffer(from: copy)
    }

    /// Gives an item the date of its original.
    ///
    /// - Parameters:
    ///   - item: The original.
    ///   - place: The path of the copy.
    /// - Throws: Any error that the target throws.
    func setDate(of item: FileObject, at place: ItemPath) async throws {
        guard let target, let date = item.modifiedDate else { return }
        try await target.setAttributes(ItemAttributes(modifiedDate: date), path: place)
    }
}

extension FileObject {
    /// Returns whether two files are known to have other permissions.
    func permissionsDiffer(from other: FileObject) -> Bool {
        guard let permissions, let others = other.permissions else { return false }
        return permissions & 0o7777 != others & 0o7777
    }
}
