-- SPDX-License-Identifier: MIT
--- What a file is by the ending of its name: its media type, and which kind of medium that is.
local paths = require "croft.paths"

local mime = {}

mime.UNKNOWN = "application/octet-stream"

local TYPES = {
  png = "image/png", jpg = "image/jpeg", jpeg = "image/jpeg", gif = "image/gif",
  webp = "image/webp", svg = "image/svg+xml", bmp = "image/bmp", ico = "image/x-icon",
  tif = "image/tiff", tiff = "image/tiff", avif = "image/avif",
  mp3 = "audio/mpeg", wav = "audio/wav", ogg = "audio/ogg", oga = "audio/ogg",
  flac = "audio/flac", m4a = "audio/mp4", aac = "audio/aac", opus = "audio/opus",
  mp4 = "video/mp4", webm = "video/webm", mov = "video/quicktime", mkv = "video/x-matroska",
  avi = "video/x-msvideo", mpeg = "video/mpeg", mpg = "video/mpeg",
  txt = "text/plain", md = "text/markdown", markdown = "text/markdown", html = "text/html",
  htm = "text/html", css = "text/css", csv = "text/csv", xml = "application/xml",
  js = "text/javascript", mjs = "text/javascript", ts = "text/x-typescript",
  c = "text/x-c", h = "text/x-c", lua = "text/x-lua", py = "text/x-python", sh = "text/x-sh",
  rs = "text/x-rust", go = "text/x-go", java = "text/x-java", rb = "text/x-ruby",
  json = "application/json", jsonl = "application/x-ndjson", yaml = "application/yaml",
  yml = "application/yaml", toml = "application/toml", pdf = "application/pdf",
  zip = "application/zip", gz = "application/gzip", tar = "application/x-tar",
}

--- The media type of the file at `path`.
function mime.of(path)
  local ending = paths.base(path):match("^.+%.([%w]+)$")
  return ending and TYPES[ending:lower()] or mime.UNKNOWN
end

--- "image", "audio", "video" or "document".
function mime.kind(media_type)
  local kind = media_type:match("^(%a+)/")
  return (kind == "image" or kind == "audio" or kind == "video") and kind or "document"
end

return mime
