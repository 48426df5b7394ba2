import { pushAll, type Dict, isRef, type Value } from "../syntax/values.ts";
import { arrayAt, catalogOf, dictAt, type Pdf, resolve } from "./document.ts";

/** What somebody has vouched for the document with; all of it ends when the document is changed. */
export interface Signatures {
  readonly isSigned: boolean;
  /** By a signature that says which changes the author allows (ISO 32000-1, 12.8.2.2). */
  readonly isCertified: boolean;
  /** Rights that Adobe Reader grants in this document only (12.8.2.3). */
  readonly hasUsageRights: boolean;
}

/** Looks for signatures themselves: /SigFlags is often missing, and set where a field still waits for one. */
export function findSignatures(pdf: Pdf): Signatures {
  const permissions = dictAt(pdf, catalogOf(pdf)?.get("Perms"));
  const signatures = signaturesIn(pdf);
  const certified = signatures.filter((each) => isCertification(pdf, each));
  return {
    isSigned: signatures.length > certified.length,
    isCertified: certified.length > 0 || dictAt(pdf, permissions?.get("DocMDP")) !== undefined,
    hasUsageRights: ["UR", "UR3"].some((key) => dictAt(pdf, permissions?.get(key)) !== undefined),
  };
}

function signaturesIn(pdf: Pdf): Dict[] {
  const signatures: Dict[] = [];
  const seen = new Set<number>();
  const form = dictAt(pdf, catalogOf(pdf)?.get("AcroForm"));
  const waiting = fieldsIn(pdf, { list: form?.get("Fields"), type: undefined });
  for (let field = waiting.pop(); field; field = waiting.pop()) {
    if (isRef(field.value) && (seen.has(field.value.num) || !seen.add(field.value.num))) continue;
    const dict = dictAt(pdf, field.value);
    const type = resolve(pdf, dict?.get("FT")) ?? field.type;
    const signature = type === "Sig" ? dictAt(pdf, dict?.get("V")) : undefined;
    if (signature) signatures.push(signature);
    pushAll(waiting, fieldsIn(pdf, { list: dict?.get("Kids"), type }));
  }
  return signatures;
}

// Kids inherit the type.
function fieldsIn(
  pdf: Pdf,
  { list, type }: { list: Value | undefined; type: Value | undefined },
): { value: Value; type: Value | undefined }[] {
  return (arrayAt(pdf, list) ?? []).map((value) => ({ value, type }));
}

function isCertification(pdf: Pdf, signature: Dict): boolean {
  const references = arrayAt(pdf, signature.get("Reference")) ?? [];
  return references.some((each) => resolve(pdf, dictAt(pdf, each)?.get("TransformMethod")) === "DocMDP");
}
