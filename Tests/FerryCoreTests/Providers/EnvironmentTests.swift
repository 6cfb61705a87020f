import FerryCore
import FerryMemory
import Foundation
import Synchronization
import Testing

@Suite("A provider")
struct EnvironmentTests {
    private final class Listener: FileProviderDelegate, FileOperationDelegate {
        let succeeded = Mutex<[FileOperationType]>([])
        let asked = Mutex<[FileOperationType]>([])

        func fileProvider(_ provider: any FileProviderBasic, didSucceed operation: FileOperationType) {
            succeeded.withLock { $0.append(operation) }
        }

        func fileProvider(_ provider: any FileProviderBasic, didFail operation: FileOperationType, error: any Error) {}

        func fileProvider(_ provider: any FileProviderBasic, shouldOperate operation: FileOperationType) -> Bool {
            asked.withLock { $0.append(operation) }
            return true
        }

        func fileProvider(
            _ provider: any FileProviderBasic,
            shouldProceedAfterError error: any Error,
            operation: FileOperationType
        ) -> Bool { false }
    }

    @Test("has its delegates and queues, which its wrappers share")
    func delegates() async throws {
        let files = MemoryFileProvider()
        let listener = Listener()
        files.delegate = listener
        ReadOnlyFileProvider(files).fileOperationDelegate = listener
        files.maximumOperationTasks = 1
        #expect(files.environment.delegate === listener && files.fileOperationDelegate === listener)
        #expect(files.operationQueue.maxConcurrentOperationCount == 1)
        #expect(files.callbackQueue === files.environment.callbackQueue)
        let error = await withCheckedContinuation { continuation in
            files.create(folder: "a", at: "/") { continuation.resume(returning: $0) }
        }
        #expect(error == nil)
        #expect(listener.succeeded.withLock { $0 } == [.create(path: "/a")])
        #expect(listener.asked.withLock { $0 } == [.create(path: "/a")])
    }

    @Test("calls back on its own queue, and on another if one is given")
    func queue() async throws {
        let queue = DispatchQueue(label: "test")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let files = MemoryFileProvider(environment: FileProviderEnvironment(callbackQueue: queue))
        let isThere = await withCheckedContinuation { continuation in
            files.attributesOfItem(path: "/") { _, _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true)
            }
        }
        #expect(isThere)
    }
}
