import Foundation

/// Does the same with several elements, a few at the same time, whatever becomes of each.
///
/// Where the storage can't be reached, or refuses the login, no further element is begun, unless `goesOn` is set. When
/// the task is cancelled, those under way are cancelled, too, and have ended when the call does.
///
/// - Parameters:
///   - elements: The elements.
///   - concurrency: Elements that are under way at the same time at most; at least one is.
///   - goesOn: `true` if all elements are tried whatever happens, since some of them may take no request.
///   - body: The work.
/// - Returns: The result for each element, in the order of the elements; for those that were not begun, the error that
///   is the reason.
/// - Throws: `CancellationError`; the error for which no further element is begun, if none ended otherwise.
package func resultsInParallel<Element: Sendable, Output: Sendable>(
    _ elements: [Element],
    concurrency: Int,
    goesOn: Bool = false,
    _ body: @escaping @Sendable (Element) async throws -> Output
) async throws -> [Result<Output, any Error>] {
    try Task.checkCancellation()
    return try await withThrowingTaskGroup(of: (Int, Result<Output, any Error>).self) { group in
        var results = [Result<Output, any Error>?](repeating: nil, count: elements.count)
        var end: (any Error)?
        for (index, element) in elements.enumerated() {
            if index >= max(1, concurrency), let (index, result) = try await group.next() {
                results[index] = result
                if !goesOn { end = end ?? result.meansNothingWasAsked }
            }
            if end != nil { break }
            group.addTask {
                do {
                    return (index, .success(try await body(element)))
                } catch let error as CancellationError {
                    throw error
                } catch {
                    return (index, .failure(error))
                }
            }
        }
        for try await (index, result) in group {
            results[index] = result
            if !goesOn { end = end ?? result.meansNothingWasAsked }
        }
        guard let end else { return results.compactMap(\.self) }
        if results.allSatisfy({ $0.map { $0.meansNothingWasAsked != nil } ?? true }) { throw end }
        return results.map { $0 ?? .failure(end) }
    }
}

extension Result where Failure == any Error {
    /// The error, if no request came to the storage, or it refused the login.
    fileprivate var meansNothingWasAsked: URLError? {
        guard case .failure(let error as URLError) = self, error.code.meansNothingWasAsked else { return nil }
        return error
    }
}
