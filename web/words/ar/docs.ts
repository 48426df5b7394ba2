import type { DocsWords } from "../en/docs.ts";
import type { Translation } from "../translation.ts";

/** What the reference of the API says in Arabic. */
export const docs: Translation<DocsWords> = {
  docs: {
    lead: "كل ما تفعله هذه الصفحات، للسكربتات والبرامج. لا حاجة إلى حساب؛ ورمز API المميّز يرفع الحدود. الأوصاف بالإنجليزية.",
    loading: "جارٍ تحميل المرجع…",
    openapi: "مستند OpenAPI 3.1",
    catalogue: "الفهرس مع حدودك",
    rpc: "الإجراءات نفسها متاحة كـ RPC محدد الأنواع على {path}.",
    limits: "حدودك الآن",
    asMember: "بصفتك عضوًا.",
    asGuest: "بلا حساب.",
    units: "في كل الصفحات، 1 كيلوبايت يساوي 1024 بايت، و1 ميغابايت يساوي 1024 كيلوبايت.",
    limitNames: {
      calls: "استدعاءات الأدوات",
      concurrentCalls: "استدعاءات متزامنة",
      fileSize: "حجم الملف",
      totalSize: "حجم كل ملفات الاستدعاء",
      pixels: "بكسلات الصورة في جميع الإطارات",
      secretLength: "أحرف السر",
      secretExpires: "مدة السر",
      secretCreates: "أسرار جديدة",
      secretReads: "فتح الأسرار وفحصها",
    },
    upTo: "حتى {value}",
    inWindow: "{value} خلال {window}",
    left: "{value}، بقي الآن {remaining}",
    body: "الجسم:",
    parameters: "المعاملات",
    bodyFields: "حقول الجسم",
    answer: "الاستجابة {status}:",
    answerKeys: "مفاتيح استجابة JSON",
    failures: "الأخطاء",
    required: "مطلوب",
    default: "الافتراضي: {value}.",
  },
};
