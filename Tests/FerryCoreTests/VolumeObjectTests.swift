import FerryCore
import Foundation
import Testing

@Suite("A volume")
struct VolumeObjectTests {
    @Test("works out the third capacity from two")
    func capacities() {
        #expect(VolumeObject(totalCapacity: 10, availableCapacity: 4).usedCapacity == 6)
        #expect(VolumeObject(totalCapacity: 10, usedCapacity: 12).availableCapacity == 0)
        #expect(VolumeObject(availableCapacity: 4, usedCapacity: 6).totalCapacity == 10)
        #expect(VolumeObject(availableCapacity: .max, usedCapacity: 6).totalCapacity == nil)
        #expect(VolumeObject(totalCapacity: 10).availableCapacity == nil)
        #expect(VolumeObject(totalCapacity: 10, availableCapacity: 4, usedCapacity: 5).usedCapacity == 5)
    }

    @Test("comes back from JSON as it was, without what is unknown")
    func json() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let small = VolumeObject(name: "a", totalCapacity: 5)
        #expect(String(decoding: try encoder.encode(small), as: UTF8.self) == #"{"name":"a","total":5}"#)
        let full = VolumeObject(
            name: "a",
            uuid: "b",
            totalCapacity: 3,
            availableCapacity: 1,
            usedCapacity: 2,
            isReadOnly: true,
            isEncrypted: true,
            formatDescription: "ext4",
            creationDate: Date(timeIntervalSinceReferenceDate: 700_000_000.123_456),
            url: URL(string: "https://example.org/dav")
        )
        #expect(try JSONDecoder().decode(VolumeObject.self, from: encoder.encode(full)) == full)
    }

    @Test("answers to Foundation's keys")
    func resourceKeys() {
        let volume = VolumeObject(name: "a", totalCapacity: 5, isReadOnly: false, isEncrypted: true)
        #expect(volume[.volumeNameKey] as? String == "a")
        #expect(volume[.volumeTotalCapacityKey] as? Int == 5)
        #expect(volume[.volumeAvailableCapacityKey] == nil)
        #expect(volume[.volumeIsReadOnlyKey] as? Bool == false)
        #expect(volume[.volumeIsEncryptedKey] as? Bool == true)
        #expect(volume[.nameKey] == nil)
    }
}
