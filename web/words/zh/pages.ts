import type { PageWords } from "../en/pages.ts";
import type { Translation } from "../translation.ts";
import { plural } from "../plural.ts";

/** What the menu and the heads of the pages say in Chinese. */
export const pages: Translation<PageWords> = {
  pages: {
    share: { label: "分享秘密", title: "分享秘密", summary: "只能打开一次的链接。离开浏览器之前就已加密。" },
    open: { label: "打开链接", title: "打开链接", summary: "粘贴别人发给您的链接。" },
    "pdf-merge": { label: "合并", title: "合并 PDF", summary: "按任意顺序合并文档，页面由您选择。" },
    "pdf-split": { label: "拆分", title: "拆分 PDF", summary: "每页一个文件，或者保留、移除某些页面。" },
    "pdf-rotate": { label: "旋转", title: "旋转 PDF", summary: "旋转全部页面，或者只旋转其中几页。" },
    "pdf-clean": {
      label: "清理",
      title: "清理 PDF",
      summary: "去掉不该被人在其中发现的内容。",
    },
    "pdf-compress": {
      label: "压缩",
      title: "压缩 PDF",
      summary: "让它更小，例如便于用邮件发送。",
    },
    "pdf-lock": {
      label: "锁定",
      title: "锁定 PDF",
      summary: "只有用您选定的密码才能打开。",
    },
    "pdf-unlock": { label: "解锁", title: "解锁 PDF", summary: "移除您知道的密码，以及各种限制。" },
    "image-convert": {
      label: "转换图片",
      title: "转换图片",
      summary: "转为 WebP、JPEG、PNG 或 AVIF，不带位置和相机信息。",
    },
    "file-encrypt": {
      label: "锁定文件",
      title: "锁定文件",
      summary: "用密码加密任意文件，或打开已锁定的文件。",
    },
    "file-hash": {
      label: "校验和",
      title: "校验文件",
      summary: "SHA-256、BLAKE3、MD5 等，并与您预期的值比较。",
    },
    "text-compare": {
      label: "比较",
      title: "比较两段文本",
      summary: "并排显示或生成补丁，按行、按词或按字符。",
    },
    password: { label: "密码", title: "生成密码", summary: "随机的字符或单词，并显示强度。" },
    account: { label: "账户", title: "账户", summary: "您的秘密、令牌和登录。" },
    docs: { label: "API", title: "API", summary: "这些页面能做的一切，供脚本和程序使用。" },
    "how-it-works": {
      label: "工作原理",
      title: "工作原理",
      summary: "密钥在哪里，服务器能看到什么，又不能做什么。",
    },
    verify: { label: "验证这些页面", title: "验证这些页面", summary: "确认它们就是已发布的页面。" },
    tools: { label: "所有工具", title: "所有工具", summary: "所有工具一览。" },
    members: {
      label: "成员",
      title: "本站成员",
      summary: "查看、停用和删除账户。",
    },
    received: {
      label: "分享给 Hushkit 的内容",
      title: "分享给 Hushkit 的内容",
      summary: "其他程序分享给这些页面的内容。",
    },
    "not-found": { title: "找不到页面" },
    ask: { label: "索取秘密", title: "索取秘密", summary: "一个只能回答一次的链接。只有您能阅读回答。" },
    answer: { title: "有人向您索取秘密" },
    collect: { title: "您的请求" },
  },
  tools: { lead: "它们在您的浏览器中工作。您提供的内容留在您的设备上。" },
  notFound: { lead: "您要找的也许是其中之一。" },
  find: {
    open: "查找页面或工具",
    field: "页面或工具",
    list: "页面和工具",
    none: "没有找到。请换一个词试试。",
    count: plural({ other: "找到 {count} 项" }),
  },
};
