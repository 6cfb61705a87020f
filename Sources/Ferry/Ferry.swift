// The umbrella: one import for the core, the providers that need no system library, and undo.
@_exported public import FerryCore
@_exported public import FerryLocal
@_exported public import FerryMemory
@_exported public import FerryUndo
