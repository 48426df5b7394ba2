import type { TrustWords } from "../en/trust.ts";
import type { Translation } from "../translation.ts";

/** What says why the service can be trusted, in Chinese. */
export const trust: Translation<TrustWords> = {
  trust: {
    title: "在此加密，只能打开一次",
    verifiable: "每个版本都可以逐字节核对。",
    journey: {
      sealed: { title: "在此加密", text: "内容在离开浏览器之前就已加密。服务器从不持有密钥。" },
      sent: { title: "以链接发送", text: "加载页面不会打开任何内容，聊天中的预览也不会。" },
      opened: { title: "只打开一次", text: "由最先拿到链接的人打开。之后即被删除，您会看到。" },
    },
  },
};
