import type { PageWords } from "../en/pages.ts";
import type { Translation } from "../translation.ts";
import { plural } from "../plural.ts";

/** What the menu and the heads of the pages say in Arabic. */
export const pages: Translation<PageWords> = {
  pages: {
    share: {
      label: "شارك سرًّا",
      title: "شارك سرًّا",
      summary: "رابط يُفتح مرة واحدة. يُشفَّر قبل أن يغادر متصفحك.",
    },
    open: { label: "افتح رابطًا", title: "افتح رابطًا", summary: "ألصق رابطًا أرسله إليك أحدهم." },
    "pdf-merge": {
      label: "دمج",
      title: "دمج ملفات PDF",
      summary: "اجمع المستندات بأي ترتيب، مع الصفحات التي تختارها.",
    },
    "pdf-split": {
      label: "تقسيم",
      title: "تقسيم ملف PDF",
      summary: "ملف لكل صفحة، أو إبقاء بعض الصفحات أو إزالتها.",
    },
    "pdf-rotate": {
      label: "تدوير",
      title: "تدوير ملف PDF",
      summary: "أدر كل الصفحات أو بعضها فقط.",
    },
    "pdf-clean": {
      label: "تنظيف",
      title: "تنظيف ملف PDF",
      summary: "إزالة ما لا ينبغي أن يجده أحد فيه.",
    },
    "pdf-compress": {
      label: "ضغط",
      title: "ضغط ملف PDF",
      summary: "اجعله أصغر، ليناسب رسالة بريد مثلًا.",
    },
    "pdf-lock": {
      label: "قفل",
      title: "قفل ملف PDF",
      summary: "لا يُفتح إلا بكلمة مرور تختارها.",
    },
    "pdf-unlock": {
      label: "إزالة الحماية",
      title: "إزالة حماية ملف PDF",
      summary: "أزل كلمة مرور تعرفها، وكل القيود.",
    },
    "image-convert": {
      label: "تحويل صورة",
      title: "تحويل صورة",
      summary: "إلى WebP أو JPEG أو PNG أو AVIF، بلا بيانات الموقع أو الكاميرا.",
    },
    "file-encrypt": {
      label: "قفل ملف",
      title: "قفل ملف",
      summary: "شفّر أي ملف بكلمة مرور، أو افتح ملفًا مقفلًا.",
    },
    "file-hash": {
      label: "بصمة الملف",
      title: "فحص ملف",
      summary: "SHA-256 وBLAKE3 وMD5 وغيرها، مقارنةً بما تتوقعه.",
    },
    "text-compare": {
      label: "مقارنة",
      title: "مقارنة نصّين",
      summary: "جنبًا إلى جنب أو كملف تصحيح (patch)، بالسطر أو الكلمة أو الحرف.",
    },
    password: {
      label: "كلمة مرور",
      title: "توليد كلمة مرور",
      summary: "أحرف أو كلمات عشوائية، مع قوتها.",
    },
    account: { label: "الحساب", title: "الحساب", summary: "أسرارك ورموزك وعمليات دخولك." },
    docs: { label: "API", title: "API", summary: "كل ما تفعله هذه الصفحات، للسكربتات والبرامج." },
    "how-it-works": {
      label: "كيف يعمل",
      title: "كيف يعمل",
      summary: "أين المفتاح، وما يراه الخادم، وما لا يقدر عليه.",
    },
    verify: {
      label: "تحقق من الصفحات",
      title: "تحقق من هذه الصفحات",
      summary: "اعرف هل هي الصفحات التي نُشرت.",
    },
    tools: { label: "كل الأدوات", title: "كل الأدوات", summary: "كل الأدوات في نظرة واحدة." },
    members: {
      label: "الأعضاء",
      title: "أعضاء هذا الخادم",
      summary: "عرض الحسابات وإيقافها وحذفها.",
    },
    received: {
      label: "المُشارَك مع Hushkit",
      title: "المُشارَك مع Hushkit",
      summary: "ما شاركه برنامج آخر مع هذه الصفحات.",
    },
    "not-found": { title: "الصفحة غير موجودة" },
    ask: {
      label: "اطلب سرًّا",
      title: "اطلب سرًّا",
      summary: "رابط يمكن الرد عليه مرة واحدة. أنت وحدك من يقرأ الرد.",
    },
    answer: { title: "أحدهم يطلب منك سرًّا" },
    collect: { title: "طلبك" },
  },
  tools: { lead: "تعمل في متصفحك. ما تعطيه لها يبقى على جهازك." },
  notFound: { lead: "ربما كنت تبحث عن إحدى هذه الصفحات." },
  find: {
    open: "ابحث عن صفحة أو أداة",
    field: "صفحة أو أداة",
    list: "الصفحات والأدوات",
    none: "لا شيء بهذا الاسم. جرّب كلمة أخرى.",
    count: plural({
      zero: "لا نتائج",
      one: "نتيجة واحدة",
      two: "نتيجتان",
      few: "{count} نتائج",
      many: "{count} نتيجة",
      other: "{count} نتيجة",
    }),
  },
};
