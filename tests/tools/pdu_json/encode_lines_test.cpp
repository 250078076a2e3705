#include "tests/tools/pdu_json/line_answers.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace smsrack::tools {
namespace {

using wire::Json;

TEST_CASE("pdu encode: every golden vector, whole, and what is encoded is decoded again") {
    const auto vectors = golden("pdu-encode.jsonl");
    REQUIRE(vectors.size() == 46);
    for (const Json& vector : vectors) {
        CAPTURE(vector["id"].get<std::string>());
        const Json got = encoded(vector["request"].dump());
        check_expected(got, vector["expect"]);
        if (got.contains("error")) {
            continue;
        }
        std::string text;
        for (const Json& segment : got["segments"]) {
            const Json record = decoded(segment["pdu"], {.direction = pdu::Direction::from_mobile});
            CHECK(record["tpdu_length"] == segment["tpdu_length"]);
            CHECK(record["tp_dcs"]["alphabet"] == got["alphabet"]);
            text += record.value("text", record.value("data", ""));
        }
        CHECK(text == vector["request"].value("text", vector["request"].value("data", "")));
    }
}

TEST_CASE("pdu encode: what contradicts the format is refused with its code") {
    struct Row {
        const char* so;
        std::string line;
        const char* code;
    };
    const auto with = [](const std::string& members) {
        return R"({"to":"+491722345678","text":"a",)" + members + "}";
    };
    const auto data_with = [](const std::string& members) {
        return R"({"to":"+491722345678","data":"00",)" + members + "}";
    };
    for (const Row& row : {
             Row{"no line", " ", "empty"},
             Row{"no JSON", "{", "bad_json"},
             Row{"two values", "{} {}", "bad_json"},
             Row{"no object", "[]", "bad_json"},
             Row{"no UTF-8", "{\"to\":\"1\",\"text\":\"\xFF\"}", "bad_json"},
             Row{"a lone surrogate", R"({"to":"1","text":"\ud83d"})", "bad_json"},
             Row{"a lone low surrogate", R"({"to":"1","text":"\ude00"})", "bad_json"},
             Row{"no destination", R"({"text":"a"})", "bad_request"},
             Row{"no content", R"({"to":"1"})", "bad_request"},
             Row{"two contents", with(R"("data":"00")"), "bad_request"},
             Row{"null text", R"({"to":"1","text":null})", "bad_request"},
             Row{"an unknown member", with(R"("colour":"red")"), "bad_request"},
             Row{"a number as destination", R"({"to":1,"text":"a"})", "bad_request"},
             Row{"null as destination", R"({"to":null,"text":"a"})", "bad_request"},
             Row{"an empty destination", R"({"to":"","text":"a"})", "bad_address"},
             Row{"a plus alone", R"({"to":"+","text":"a"})", "bad_address"},
             Row{"letters as destination", R"({"to":"+49x","text":"a"})", "bad_address"},
             Row{"a plus in a number object", R"({"to":{"number":"+49"},"text":"a"})",
                 "bad_address"},
             Row{"TON 8", R"({"to":{"number":"49","ton":8},"text":"a"})", "bad_request"},
             Row{"an unknown member of the destination",
                 R"({"to":{"number":"49","type":1},"text":"a"})", "bad_request"},
             Row{"a name of 12 septets", R"({"to":{"number":"abcdefghijkl","ton":5},"text":"a"})",
                 "bad_address"},
             Row{"a service centre with letters", with(R"("smsc":"abcdef")"), "bad_address"},
             Row{"an alphabet that is none", with(R"("alphabet":"latin1")"), "bad_request"},
             Row{"null alphabet", with(R"("alphabet":null)"), "bad_request"},
             Row{"data8 for text", with(R"("alphabet":"data8")"), "bad_request"},
             Row{"ucs2 for data", data_with(R"("alphabet":"ucs2")"), "bad_request"},
             Row{"odd data", R"({"to":"1","data":"0"})", "bad_request"},
             Row{"class 4", with(R"("class":4)"), "bad_request"},
             Row{"class 1.0", with(R"("class":1.0)"), "bad_request"},
             Row{"class and dcs", with(R"("class":1,"dcs":0)"), "bad_request"},
             Row{"compressed", with(R"("dcs":32)"), "bad_request"},
             Row{"reserved", with(R"("dcs":128)"), "bad_request"},
             Row{"dcs of data for text", with(R"("dcs":4)"), "bad_request"},
             Row{"dcs of text for data", data_with(R"("dcs":0)"), "bad_request"},
             Row{"dcs against alphabet", with(R"("dcs":8,"alphabet":"gsm7")"), "bad_request"},
             Row{"null srr", with(R"("srr":null)"), "bad_request"},
             Row{"srr 1", with(R"("srr":1)"), "bad_request"},
             Row{"pid 256", with(R"("pid":256)"), "bad_request"},
             Row{"mr -1", with(R"("mr":-1)"), "bad_request"},
             Row{"a huge mr", with(R"("mr":18446744073709551615)"), "bad_request"},
             Row{"a huger mr", with(R"("mr":1e400)"), "bad_request"},
             Row{"an empty vp", with(R"("vp":{})"), "bad_request"},
             Row{"two vps", with(R"("vp":{"relative":1,"seconds":300})"), "bad_request"},
             Row{"vp 0 s", with(R"("vp":{"seconds":0})"), "bad_request"},
             Row{"vp above 63 weeks", with(R"("vp":{"seconds":38102401})"), "bad_request"},
             Row{"vp in 2090", with(R"("vp":{"absolute":"2090-01-01T00:00:00Z"})"), "bad_request"},
             Row{"vp of 6 octets", with(R"("vp":{"enhanced":"422D00000000"})"), "bad_request"},
             Row{"9 reference bits", with(R"("concat_ref_bits":9)"), "bad_request"},
             Row{"a reference of 9 bits", with(R"("concat_ref":256)"), "bad_request"},
             Row{"ports without dst", with(R"("ports":{"src":1})"), "bad_request"},
             Row{"a port of 9 bits", with(R"("ports":{"dst":256,"bits":8})"), "bad_request"},
             Row{"udh that is no array", with(R"("udh":{})"), "bad_request"},
             Row{"an element without data", with(R"("udh":[{"iei":112}])"), "bad_request"},
             Row{"a concatenation of one's own", with(R"("udh":[{"iei":8,"data":"00010101"}])"),
                 "bad_udh"},
             Row{"a language of one's own", with(R"("udh":[{"iei":36,"data":"01"}])"), "bad_udh"},
             Row{"ports twice", with(R"("ports":{"dst":1},"udh":[{"iei":4,"data":"0101"}])"),
                 "bad_udh"},
             Row{"a header without room",
                 with(R"("udh":[{"iei":112,"data":")" + std::string(280, '0') + "\"}]"), "bad_udh"},
             Row{"a header longer than all",
                 with(R"("udh":[{"iei":112,"data":")" + std::string(600, '0') + "\"}]"), "bad_udh"},
             Row{"Spanish locking", with(R"("lang":{"locking":2,"single":0})"), "bad_request"},
             Row{"language 14", with(R"("lang":{"locking":0,"single":14})"), "bad_request"},
             Row{"null lang", with(R"("lang":null)"), "bad_request"},
             Row{"too deep", with(R"("x":)" + std::string(100, '[') + std::string(100, ']')),
                 "bad_request"},
         }) {
        CAPTURE(std::string(row.so));
        CHECK(encoded(row.line)["error"]["code"] == row.code);
    }
}

TEST_CASE("pdu encode: optional members may be null, and mean not given") {
    const std::string plain = encoded(R"({"to":"+491722345678","text":"a"})").dump();
    CHECK(
        encoded(
            R"({"to":"+491722345678","text":"a","class":null,"dcs":null,"pid":null,"mr":null,"vp":null,"smsc":null,)"
            R"("concat_ref":null,"ports":null,"udh":null})")
            .dump() == plain);
    CHECK(encoded(R"({"to":{"number":"491722345678","ton":null,"npi":null},"text":"a","udh":[]})")
              .dump() == plain);
    CHECK(encoded(R"({"to":"1","text":"a","ports":{"dst":255,"src":null,"bits":8}})")
              .contains("segments"));
}

TEST_CASE(
    "pdu encode: a reference that was not given is the same in all segments and differs between "
    "lines") {
    EncodeLines worker;
    const std::string line =
        R"({"to":"1","concat_ref_bits":16,"text":")" + std::string(400, 'a') + "\"}";
    std::vector<Json> refs;
    for (int i = 0; i < 2; ++i) {
        const Json got = answer(worker, line);
        REQUIRE(got["segments"].size() == 3);
        for (const Json& segment : got["segments"]) {
            refs.push_back(decoded(segment["pdu"],
                                   {.direction = pdu::Direction::from_mobile})["concat"]["ref"]);
        }
    }
    CHECK(refs[0] == refs[1]);
    CHECK(refs[0] == refs[2]);
    CHECK(refs[3] != refs[0]);
}

TEST_CASE("pdu encode: the message reference counts the segments") {
    const Json got = encoded(R"({"to":"1","mr":255,"text":")" + std::string(200, 'a') + "\"}");
    CHECK(decoded(got["segments"][0]["pdu"], {.direction = pdu::Direction::from_mobile})["tp_mr"] ==
          255);
    CHECK(decoded(got["segments"][1]["pdu"], {.direction = pdu::Direction::from_mobile})["tp_mr"] ==
          0);
}

}  // namespace
}  // namespace smsrack::tools
