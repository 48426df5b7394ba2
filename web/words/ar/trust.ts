import type { TrustWords } from "../en/trust.ts";
import type { Translation } from "../translation.ts";

/** What says why the service can be trusted, in Arabic. */
export const trust: Translation<TrustWords> = {
  trust: {
    title: "يُختم هنا ويُفتح مرة واحدة",
    verifiable: "يمكن فحص كل إصدار بايتًا بايتًا.",
    journey: {
      sealed: { title: "يُختم هنا", text: "يشفّره متصفحك قبل أن يغادره. لا يملك الخادم المفتاح أبدًا." },
      sent: { title: "يُرسل رابطًا", text: "لا يفتح تحميل الصفحة شيئًا، ولا المعاينة في محادثة." },
      opened: { title: "يُفتح مرة واحدة", text: "يفتحه أول من لديه الرابط. ثم يُحذف، وترى ذلك." },
    },
  },
};
