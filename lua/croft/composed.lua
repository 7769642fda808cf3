-- SPDX-License-Identifier: MIT
--- Letters with marks, taken apart. The table holds every canonical decomposition of two code
--- points that the Unicode Character Database gives in the blocks of Latin (U+00C0 to U+024F,
--- U+1E00 to U+1EFF), Greek (U+0370 to U+03FF), Cyrillic (U+0400 to U+052F) and kana (U+3040 to
--- U+30FF); the syllables of Hangul follow by arithmetic. Other letters are not known here, nor is
--- the order of several marks put right: this tells why two texts differ and changes none.
local composed = {}

--- By the mark, a code point: pairs of a letter that has it and the same letter without.
local PAIRS = {
  [0x0300] =
    "ÀAÈEÌIÒOÙUàaèeìiòoùuǛÜǜüǸNǹnЀЕЍИѐеѝиḔĒḕēṐŌṑōẀWẁwẦÂầâẰĂằăỀÊềêỒÔồôỜƠờơỪƯừưỲYỳy",
  [0x0301] =
    "ÁAÉEÍIÓOÚUÝYáaéeíióoúuýyĆCćcĹLĺlŃNńnŔRŕrŚSśsŹZźzǗÜǘüǴGǵgǺÅǻåǼÆǽæǾØǿø΅¨ΆΑΈΕΉΗΊΙΌΟΎΥΏΩ"
    .. "ΐϊάαέεήηίιΰϋόούυώωϓϒЃГЌКѓгќкḈÇḉçḖĒḗēḮÏḯïḰKḱkḾMḿmṌÕṍõṒŌṓōṔPṕpṸŨṹũẂWẃwẤÂấâẮĂắăẾÊếêỐÔốô"
    .. "ỚƠớơỨƯứư",
  [0x0302] =
    "ÂAÊEÎIÔOÛUâaêeîiôoûuĈCĉcĜGĝgĤHĥhĴJĵjŜSŝsŴWŵwŶYŷyẐZẑzẬẠậạỆẸệẹỘỌộọ",
  [0x0303] =
    "ÃAÑNÕOãañnõoĨIĩiŨUũuṼVṽvẪÂẫâẴĂẵăẼEẽeỄÊễêỖÔỗôỠƠỡơỮƯữưỸYỹy",
  [0x0304] =
    "ĀAāaĒEēeĪIīiŌOōoŪUūuǕÜǖüǞÄǟäǠȦǡȧǢÆǣæǬǪǭǫȪÖȫöȬÕȭõȰȮȱȯȲYȳyӢИӣиӮУӯуḠGḡgḸḶḹḷṜṚṝṛ",
  [0x0306] =
    "ĂAăaĔEĕeĞGğgĬIĭiŎOŏoŬUŭuЎУЙИйиўуӁЖӂжӐАӑаӖЕӗеḜȨḝȩẶẠặạ",
  [0x0307] =
    "ĊCċcĖEėeĠGġgİIŻZżzȦAȧaȮOȯoḂBḃbḊDḋdḞFḟfḢHḣhṀMṁmṄNṅnṖPṗpṘRṙrṠSṡsṤŚṥśṦŠṧšṨṢṩṣṪTṫtẆWẇwẊX"
    .. "ẋxẎYẏyẛſ",
  [0x0308] =
    "ÄAËEÏIÖOÜUäaëeïiöoüuÿyŸYΪΙΫΥϊιϋυϔϒЁЕЇІёеїіӒАӓаӚӘӛәӜЖӝжӞЗӟзӤИӥиӦОӧоӪӨӫөӬЭӭэӰУӱуӴЧӵчӸЫ"
    .. "ӹыḦHḧhṎÕṏõṺŪṻūẄWẅwẌXẍxẗt",
  [0x0309] =
    "ẢAảaẨÂẩâẲĂẳăẺEẻeỂÊểêỈIỉiỎOỏoỔÔổôỞƠởơỦUủuỬƯửưỶYỷy",
  [0x030A] =
    "ÅAåaŮUůuẘwẙy",
  [0x030B] =
    "ŐOőoŰUűuӲУӳу",
  [0x030C] =
    "ČCčcĎDďdĚEěeĽLľlŇNňnŘRřrŠSšsŤTťtŽZžzǍAǎaǏIǐiǑOǒoǓUǔuǙÜǚüǦGǧgǨKǩkǮƷǯʒǰjȞHȟh",
  [0x030F] =
    "ȀAȁaȄEȅeȈIȉiȌOȍoȐRȑrȔUȕuѶѴѷѵ",
  [0x0311] =
    "ȂAȃaȆEȇeȊIȋiȎOȏoȒRȓrȖUȗu",
  [0x031B] =
    "ƠOơoƯUưu",
  [0x0323] =
    "ḄBḅbḌDḍdḤHḥhḲKḳkḶLḷlṂMṃmṆNṇnṚRṛrṢSṣsṬTṭtṾVṿvẈWẉwẒZẓzẠAạaẸEẹeỊIịiỌOọoỢƠợơỤUụuỰƯựưỴYỵy",
  [0x0324] =
    "ṲUṳu",
  [0x0325] =
    "ḀAḁa",
  [0x0326] =
    "ȘSșsȚTțt",
  [0x0327] =
    "ÇCçcĢGģgĶKķkĻLļlŅNņnŖRŗrŞSşsŢTţtȨEȩeḐDḑdḨHḩh",
  [0x0328] =
    "ĄAąaĘEęeĮIįiŲUųuǪOǫo",
  [0x032D] =
    "ḒDḓdḘEḙeḼLḽlṊNṋnṰTṱtṶUṷu",
  [0x032E] =
    "ḪHḫh",
  [0x0330] =
    "ḚEḛeḬIḭiṴUṵu",
  [0x0331] =
    "ḆBḇbḎDḏdḴKḵkḺLḻlṈNṉnṞRṟrṮTṯtẔZẕzẖh",
  [0x3099] =
    "がかぎきぐくげけごこざさじしずすぜせぞそだたぢちづつでてどとばはびひぶふべへぼほゔうゞゝガカギキグクゲケゴコザサジシズスゼセゾソダタヂチヅツデテドトバハビヒブフベヘボホ"
    .. "ヴウヷワヸヰヹヱヺヲヾヽ",
  [0x309A] =
    "ぱはぴひぷふぺへぽほパハピヒプフペヘポホ",
}

--- Hangul syllables are composed by arithmetic: their first, and the first of each kind of letter.
local SYLLABLE, SYLLABLES = 0xAC00, 11172
local LEADING, VOWEL, TRAILING = 0x1100, 0x1161, 0x11A7
local VOWELS, TRAILINGS = 21, 28

--- By the code point of a letter with a mark: the letter without it, and the mark. Made at the
--- first use, which most sessions never see.
local without, mark_of

local function read_pairs()
  without, mark_of = {}, {}
  for mark, letters in pairs(PAIRS) do
    local letter
    for _, code in utf8.codes(letters) do
      if letter then
        without[letter], mark_of[letter], letter = code, mark, nil
      else
        letter = code
      end
    end
  end
end

--- The letter without its mark, and the mark; nil when `code` is no letter that has one.
local function parts_of(code)
  if not without then
    read_pairs()
  end
  return without[code], mark_of[code]
end

local function is_syllable(code)
  return code >= SYLLABLE and code < SYLLABLE + SYLLABLES
end

local function add_syllable(code, out)
  local index = code - SYLLABLE
  local trailing = index % TRAILINGS
  out[#out + 1] = LEADING + index // (VOWELS * TRAILINGS)
  out[#out + 1] = VOWEL + index // TRAILINGS % VOWELS
  if trailing > 0 then
    out[#out + 1] = TRAILING + trailing
  end
end

--- Whether `code` is a letter that consists of others.
function composed.is(code)
  return code > 0x7F and (parts_of(code) ~= nil or is_syllable(code))
end

--- Whether `code` is a mark on the letter before it, or a piece of a Hangul syllable.
function composed.is_part(code)
  return code >= 0x0300 and code <= 0x036F or code == 0x3099 or code == 0x309A
    or code >= LEADING and code <= 0x11FF
end

--- Adds to the list `out` the code points of which `code` consists: itself, when it is no letter
--- that is known here.
function composed.add_parts(code, out)
  local letter, mark = parts_of(code)
  if letter then
    composed.add_parts(letter, out)
    out[#out + 1] = mark
  elseif is_syllable(code) then
    add_syllable(code, out)
  else
    out[#out + 1] = code
  end
end

return composed
