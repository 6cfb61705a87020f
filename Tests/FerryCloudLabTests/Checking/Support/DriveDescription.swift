@testable import FerryCloudLab

/// A description of a small drive in the form of Microsoft's OpenAPI and metadata documents.
enum DriveDescription {
    static let metadata = """
        <?xml version="1.0" encoding="utf-8"?>
        <!-- A comment. -->
        <edmx:Edmx xmlns:edmx="x"><edmx:DataServices>
        <Schema xmlns="y" Namespace="microsoft.graph" Alias="graph">
          <EnumType Name="color"><Member Name="red" Value="0"/><Member Name="blue" Value="1"/></EnumType>
          <EntityType Name="entity" Abstract="true"><Property Name="id" Type="Edm.String" Nullable="false"/></EntityType>
          <EntityType Name="driveItem" BaseType="graph.entity" OpenType="true">
            <Property Name="color" Type="graph.color" Nullable='false' />
            <Property Name="labels" Type="Collection(Edm.String)"></Property>
            <Property Name="seen" Type="Edm.DateTimeOffset"/>
            <Property Name="place" Type="graph.place"/>
          </EntityType>
          <ComplexType Name="place" OpenType="true"><Property Name="height" Type="Edm.Int16"/></ComplexType>
          <ComplexType Name="spot" BaseType="graph.place"><Property Name="x" Type="Edm.Double"/></ComplexType>
          <Action Name="copy" IsBound="true"><Parameter Name="it" Type="graph.driveItem"/></Action>
        </Schema>
        </edmx:DataServices></edmx:Edmx>
        """

    private static let item = ##"{"$ref":"#/components/schemas/microsoft.graph.driveItem"}"##
    private static let items = ##"{"$ref":"#/components/schemas/microsoft.graph.driveItemCollectionResponse"}"##

    private static func json(_ schema: String) -> String { #"{"content":{"application/json":{"schema":\#(schema)}}}"# }

    private static func operation(
        _ method: String,
        answer: String,
        query: [String] = [],
        body: String? = nil
    ) -> String {
        let parameters = query.map { name in
            let values =
                name == "$top" ? #"{"type":"integer"}"# : #"{"type":"array","items":{"enum":["id","name","size"]}}"#
            return #"{"in":"query","name":"\#(name)","schema":\#(values)}"#
        }
        let request = body.map { #""requestBody":\#(json($0)),"# } ?? ""
        let list = parameters.joined(separator: ",")
        return #""\#(method)":{"parameters":[\#(list)],\#(request)"responses":{"2XX":\#(answer),"default":\#(error)}}"#
    }

    private static let error = ##"{"$ref":"#/components/responses/error"}"##

    static let document = """
        {
          "openapi": "3.0.0",
          "paths": {
            "/drives/{drive-id}": {\(operation("get", answer: json("{}")))},
            "/drives/{drive-id}/items/{driveItem-id}": {
              \(operation("get", answer: json(item), query: ["$select", "$expand"])),
              \(operation("patch", answer: json(item), body: item)),
              \(operation("delete", answer: "{}"))
            },
            "/drives/{drive-id}/items/{driveItem-id}/children": {
              \(operation("get", answer: json(items), query: ["$select", "$top"])),
              \(operation("post", answer: json(item), body: item))
            },
            "/drives/{drive-id}/items/{driveItem-id}/content": {
              \(operation("get", answer: "{}")),
              "put": {
                "requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string"}}}},
                "responses": {"2XX": \(json(item)), "default": \(error)}
              }
            },
            "/drives/{drive-id}/items/{driveItem-id}/microsoft.graph.copy": {
              \(operation(
                "post",
                answer: json(item),
                body: #"{"type":"object","properties":{"name":{"type":"string","nullable":true}}}"#
              ))
            },
            "/drives/{drive-id}/items/{driveItem-id}/microsoft.graph.delta()": {
              \(operation("get", answer: json(items)))
            },
            "/drives/{drive-id}/items/{driveItem-id}/microsoft.graph.search(q='{q}')": {
              \(operation("get", answer: json(items)))
            },
            "/drives/{drive-id}/items/{driveItem-id}/microsoft.graph.createUploadSession": {
              \(operation(
                "post",
                answer: json(##"{"$ref":"#/components/schemas/microsoft.graph.uploadSession"}"##),
                body: #"{"type":"object","properties":{"item":{"type":"object","properties":{"name":{"type":"string"}}}}}"#
              ))
            }
          },
          "components": {
            "responses": {
              "error": {"content": {"application/json": {"schema": {
                "$ref": "#/components/schemas/microsoft.graph.ODataErrors.ODataError"
              }}}}
            },
            "schemas": {
              "microsoft.graph.entity": {"type": "object", "properties": {"id": {"type": "string"}}},
              "microsoft.graph.driveItem": {
                "allOf": [
                  {"$ref": "#/components/schemas/microsoft.graph.entity"},
                  {"type": "object", "properties": {
                    "name": {"type": "string", "nullable": true, "pattern": "^[^/]*$"},
                    "size": {"type": "integer", "format": "int64", "nullable": true},
                    "eTag": {"type": "string", "nullable": true},
                    "cTag": {"type": "string", "nullable": true},
                    "webUrl": {"type": "string", "nullable": true},
                    "createdDateTime": {"type": "string", "format": "date-time"},
                    "lastModifiedDateTime": {"type": "string", "format": "date-time"},
                    "parentReference": {"$ref": "#/components/schemas/microsoft.graph.itemReference"},
                    "fileSystemInfo": {"type": "object", "properties": {
                      "createdDateTime": {"type": "string", "format": "date-time"},
                      "lastModifiedDateTime": {"type": "string", "format": "date-time"}
                    }},
                    "file": {"$ref": "#/components/schemas/microsoft.graph.file"},
                    "folder": {"$ref": "#/components/schemas/microsoft.graph.folder"},
                    "deleted": {"type": "object", "properties": {"state": {"type": "string"}}},
                    "user": {"$ref": "#/components/schemas/microsoft.graph.user"},
                    "children": {"type": "array", "items": {"$ref": "#/components/schemas/microsoft.graph.driveItem"}}
                  }}
                ]
              },
              "microsoft.graph.user": {"x-cut": "left out"},
              "microsoft.graph.itemReference": {"type": "object", "properties": {
                "driveId": {"type": "string"}, "id": {"type": "string"}
              }},
              "microsoft.graph.file": {"type": "object", "properties": {
                "mimeType": {"type": "string"}, "hashes": {"$ref": "#/components/schemas/microsoft.graph.hashes"}
              }},
              "microsoft.graph.hashes": {"type": "object", "properties": {
                "quickXorHash": {"type": "string"}, "sha1Hash": {"type": "string"}
              }},
              "microsoft.graph.folder": {"type": "object", "properties": {
                "childCount": {"type": "integer", "format": "int32", "minimum": 0}
              }},
              "microsoft.graph.uploadSession": {"type": "object", "properties": {
                "uploadUrl": {"type": "string"}, "expirationDateTime": {"type": "string", "format": "date-time"},
                "nextExpectedRanges": {"type": "array", "items": {"type": "string"}}
              }},
              "microsoft.graph.driveItemCollectionResponse": {"type": "object", "properties": {
                "value": {"type": "array", "items": {"$ref": "#/components/schemas/microsoft.graph.driveItem"}},
                "@odata.nextLink": {"type": "string"}
              }},
              "microsoft.graph.ODataErrors.ODataError": {"type": "object", "required": ["error"], "properties": {
                "error": {"$ref": "#/components/schemas/microsoft.graph.ODataErrors.MainError"}
              }},
              "microsoft.graph.ODataErrors.MainError": {"type": "object", "properties": {
                "code": {"type": "string"}, "message": {"type": "string"},
                "innerError": {"$ref": "#/components/schemas/microsoft.graph.ODataErrors.InnerError"}
              }},
              "microsoft.graph.ODataErrors.InnerError": {"type": "object"}
            }
          }
        }
        """

    static func make() throws -> OpenAPIDocument {
        let schemas = try CSDLDocument.schemas(metadata.utf8, file: "metadata.xml")
        return try OpenAPIDocument(document.utf8, file: "openapi.json", supplement: schemas)
    }
}
