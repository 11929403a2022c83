/**
 * The metadata of a SICD image that is written again: its XML with every element, also those that dechirp does not know, in the namespace of
 * the version that is written, with pixels as 32-bit floats. Pixels keep their places and values.
 */
import { inputError } from "@dechirp/core";
import { checkFields, checkObject } from "@dechirp/core/internal";
import type { SicdPlan, SicdVersion } from "./sicd-grid.ts";
import type { SicdMetadata } from "./sicd-metadata.ts";
import type { SicdImage } from "./sicd-reader.ts";
import type { XmlElement } from "./xml.ts";
import { encodeXml, type XmlNode, xmlElement } from "./xml-write.ts";

/** A SICD image whose metadata another file gets: one that `openSicd` has opened. */
export type CopiedSicd = Pick<SicdImage, "metadata" | "xml" | "header">;

/** Classifications of NITF by their first letters. */
const classifications = ["UNCLASSIFIED", "RESTRICTED", "CONFIDENTIAL", "SECRET", "TOP SECRET"] as const;

/**
 * What the headers say of the classification, which is one of NITF's: that of the copied file's header, else that which the text in the XML
 * begins with, or which is the only one in it. Throws `input` if none of these is a classification.
 */
function classificationOf({ metadata, header }: CopiedSicd): string {
  const text = metadata.collection.classification;
  const within = classifications.filter((one) => text.toUpperCase().includes(one));
  const found =
    classifications.find((one) => one[0] === header["FSCLAS"]) ??
    classifications.find((one) => text.toUpperCase().startsWith(one)) ??
    (within.length === 1 ? within[0] : undefined);
  if (found === undefined) throw inputError("copyOf.metadata.collection.classification", `one of ${classifications.join(", ")}`, text);
  return found;
}

/** The plan of the copy of an image [rows][columns], and its XML. Throws `input`, which names `copyOf`. */
export function planCopy(
  copy: CopiedSicd,
  shape: readonly number[],
  version: SicdVersion,
  file: string,
): SicdPlan & { readonly xml: Uint8Array } {
  checkObject(copy, "copyOf", "input");
  for (const field of ["metadata", "xml", "header"] as const) checkObject(copy[field], `copyOf.${field}`, "input");
  const { metadata, xml } = copy;
  const { rows, columns } = metadata.image;
  if (shape[0] !== rows || shape[1] !== columns)
    throw inputError("layout.shape", `[${rows}, ${columns}], as the image that is copied has`, shape);
  const { amplitudes: _, ...image } = metadata.image;
  // The XML has the classification as it was; this one is for the headers.
  const collection = { ...metadata.collection, classification: classificationOf(copy) };
  const copied: SicdMetadata = { ...metadata, collection, version, image: { ...image, pixelType: "RE32F_IM32F" } };
  return {
    metadata: copied,
    order: { transposed: false, reversedRows: false, reversedColumns: false, row: 0, column: 0, rowCycles: 0, columnCycles: 0 },
    xml: new TextEncoder().encode(encodeXml(nodeOf(xml, xml.namespace, `urn:SICD:${version}`, ""), file)),
  };
}

/** An element as it is written: elements of the old namespace are in the new one, others declare theirs, and pixels are floats. */
function nodeOf(element: XmlElement, old: string, namespace: string, parent: string): XmlNode {
  checkFields(
    element,
    { name: "string", namespace: "string", path: "string", file: "string", attributes: "object", children: "object", text: "string" },
    "an element of copyOf.xml",
    "input",
    "copyOf.xml.",
  );
  const { name, children, text } = element;
  const own = element.namespace === old ? namespace : element.namespace;
  // Prefixes are not kept, so attributes with one can't be.
  const attributes = Object.fromEntries(Object.entries(element.attributes).filter(([key]) => key !== "xmlns" && !key.includes(":")));
  const declared = own === parent ? attributes : { xmlns: own, ...attributes };
  if (name === "PixelType" && /^[^/]+\/ImageData\/PixelType$/.test(element.path)) return xmlElement(name, "RE32F_IM32F", declared);
  const kept = children.filter((child) => !(child.name === "AmpTable" && /^[^/]+\/ImageData\/AmpTable$/.test(child.path)));
  const content = kept.map((child) => nodeOf(child, old, namespace, own));
  return xmlElement(name, content.length > 0 ? content : text, declared);
}
