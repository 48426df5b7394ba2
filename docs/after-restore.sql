-- Run once on a restored database, before the server starts on it, with :now set to the time in unix seconds.
-- A backup brings back what has ended since it was made: secrets that were read, sessions, API tokens.
begin;
delete from secret_content;
delete from secret_chunk;
delete from secret_file;
update secret set status = 'revoked', closed_at = :now where closed_at is null;
delete from request_answer;
update request set status = 'cancelled', closed_at = :now, note = null where closed_at is null;
delete from session;
delete from token;
commit;
