import type { DocsWords } from "../en/docs.ts";
import type { Translation } from "../translation.ts";

/** What the reference of the API says in Chinese. */
export const docs: Translation<DocsWords> = {
  docs: {
    lead: "这些页面能做的一切，供脚本和程序使用。不需要账户；令牌可提高限额。说明为英文。",
    loading: "正在加载参考…",
    openapi: "OpenAPI 3.1 文档",
    catalogue: "包含您的限额的目录",
    rpc: "同样的功能也可通过 {path} 以带类型的 RPC 调用。",
    limits: "您当前的限额",
    asMember: "以成员身份。",
    asGuest: "没有账户。",
    units: "所有页面上，1 kB 为 1,024 字节，1 MB 为 1,024 kB。",
    limitNames: {
      calls: "工具调用",
      concurrentCalls: "同时进行的工具调用",
      fileSize: "单个文件大小",
      totalSize: "一次调用的文件总大小",
      pixels: "图像的像素数（所有帧）",
      secretLength: "秘密的字符数",
      secretExpires: "秘密的有效期",
      secretCreates: "新建秘密",
      secretReads: "打开和查询秘密",
    },
    upTo: "最多 {value}",
    inWindow: "{window}内 {value}",
    left: "{value}，目前还剩 {remaining}",
    body: "正文：",
    parameters: "参数",
    bodyFields: "正文的字段",
    answer: "响应 {status}：",
    answerKeys: "JSON 响应的键",
    failures: "错误",
    required: "必填",
    default: "默认值：{value}。",
  },
};
