/// Does the same with several elements at a time.
///
/// - Parameters:
///   - elements: The elements.
///   - concurrency: The elements that are worked on at the same time, at least 1.
///   - body: The work; the first error ends all of it.
/// - Returns: The results, in the order of the elements.
/// - Throws: The first error of the work; `CancellationError`.
package func inParallel<Element: Sendable, Output: Sendable>(
    _ elements: [Element],
    concurrency: Int,
    _ body: @escaping @Sendable (Element) async throws -> Output
) async throws -> [Output] {
    try await withThrowingTaskGroup(of: (Int, Output).self) { group in
        var outputs = [Output?](repeating: nil, count: elements.count)
        for (index, element) in elements.enumerated() {
            if index >= concurrency, let (index, output) = try await group.next() { outputs[index] = output }
            group.addTask { (index, try await body(element)) }
        }
        for try await (index, output) in group { outputs[index] = output }
        return outputs.compactMap(\.self)
    }
}
