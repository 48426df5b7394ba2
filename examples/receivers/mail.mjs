// Sends a mail to MAIL_TO for each event, through the relay of SMTP_URL (smtp.mjs).
import { receive, setting } from "./receive.mjs";
import { checked, sendMail } from "./smtp.mjs";

const to = checked(setting("MAIL_TO"));

receive((text) => sendMail(text, to));
