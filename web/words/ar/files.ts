import type { FileWords } from "../en/files.ts";
import type { Translation } from "../translation.ts";

/** What is said of files on all pages, in Arabic. */
export const files: Translation<FileWords> = {
  files: {
    pdf: "ملف PDF",
    pdfs: "ملفات PDF",
    pages: "ملفات PDF أو صور",
    morePages: "ملفات PDF أو صور أخرى",
    images: "الصور",
    any: "ملف",
    anyMore: "ملف آخر",
    several: "الملفات",
    drop: "أفلت {what} أو ألصق هنا، أو",
    choose: "اختيار {what}",
    add: "إضافة {what}",
    dropHint: "لا يُرفع شيء إلا إذا اخترت «على الخادم».",
    refused: {
      pdf: "ليس ملف PDF، لذلك لم يُضَف: {names}",
      image: "ليس صورة يمكن قراءتها هنا، لذلك لم يُضَف: {names}",
      page: "ليس ملف PDF ولا صورة يمكن قراءتها هنا، لذلك لم يُضَف: {names}",
      text: "ليس نصًّا، فلم يُؤخذ: {names}",
    },
    chooseOther: "اختر ملفًا آخر",
    onlyOne: "تأخذ هذه الصفحة ملفًّا واحدًا في كل مرة، فلم يُؤخذ: {names}",
    folders: "لا يمكن أخذ مجلد، بل الملفات التي فيه فقط: {names}",
    unreadable: "لم يعد موجودًا أو تتعذّر قراءته: {names}",
    where: "أين",
    places: { here: "في هذا المتصفح", server: "على الخادم" },
    placeHints: {
      here: "لا شيء يغادر جهازك.",
      server: "يُرسل إلى الخادم الذي يبقيه في الذاكرة أثناء العمل ولا يخزّن شيئًا.",
    },
    old: "لقد غيّرت شيئًا بعد ذلك. شغّل الأداة مرة أخرى لنتيجة جديدة.",
    next: "تابع العمل عليه:",
    suggest: "اقترح كلمة مرور",
    openLocked: "فتح ملف مقفل",
    saveOne: "احفظ {name}",
    saveAll: "احفظ الكل",
    undo: "عُد إلى الملفات",
    chosen: "الملفات المختارة",
    sendOnce: "أرسله مرة واحدة",
  },
  received: {
    lead: "ماذا تريد أن تفعل به؟ لم يُرسل شيء بعد.",
    nothingTitle: "لم يصل شيء",
    nothing: "لم يسلّم المتصفح شيئًا. شاركه مرة أخرى، أو اختر صفحة وأعطها الملف هناك.",
  },
  order: {
    moved: "{name} الآن رقم {number} من {count}",
    up: "انقل {name} إلى أعلى",
    down: "انقل {name} إلى أسفل",
    remove: "أزل {name}",
  },
};
