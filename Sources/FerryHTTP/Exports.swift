// One import for whoever works with this target: the core, and the types that requests are made of.
@_exported public import FerryCore
@_exported public import HTTPTypes
@_exported public import NIOCore
