#include "src/sms/error_table.hpp"

#include <doctest/doctest.h>

using namespace smsrack;

namespace {

CauseRow row(int first, int last, CauseClass cause_class, std::string meaning) {
    return {.kind = CodeKind::cms,
            .first = first,
            .last = last,
            .info = {.cause_class = cause_class, .meaning = std::move(meaning)}};
}

std::string meaning(const ErrorTable& table, int code) {
    return table.info({CodeKind::cms, code}).meaning;
}

}  // namespace

TEST_CASE("ErrorTable: the narrowest row holds, whatever the order") {
    const ErrorTable table({row(0, 127, CauseClass::network, "wide"),
                            row(42, 42, CauseClass::quota, "exact"),
                            row(40, 49, CauseClass::modem, "narrow")});
    CHECK(meaning(table, 39) == "wide");
    CHECK(meaning(table, 41) == "narrow");
    CHECK(meaning(table, 42) == "exact");
    CHECK(meaning(table, 127) == "wide");
}

TEST_CASE("ErrorTable: what is laid over goes first, even where it is wider") {
    const ErrorTable table({row(42, 42, CauseClass::network, "product")});
    const ErrorTable both = table.with({row(0, 100, CauseClass::permanent, "administrator")});
    CHECK(meaning(both, 42) == "administrator");
    CHECK(both.info({CodeKind::cms, 42}).cause_class == CauseClass::permanent);
    CHECK(meaning(table, 42) == "product");
}

TEST_CASE("ErrorTable: a code without a row is a doubt once the PDU had left") {
    const ErrorTable empty({});
    const CauseInfo& info = empty.info({CodeKind::cms, 7});
    CHECK(info.class_of(true) == CauseClass::ambiguous);
    CHECK(info.class_of(false) == CauseClass::transient);
    CHECK(empty.info({}).cause_class == CauseClass::none);
    CHECK_FALSE(empty.report_event(0));
}

TEST_CASE("ErrorTable: rows of another kind do not count") {
    const ErrorTable table({row(0, 500, CauseClass::permanent, "cms")});
    CHECK(table.info({CodeKind::cme, 10}).class_of(false) == CauseClass::transient);
}
