#include "db/write/audit.hpp"

#include "tests/db/store_fixture.hpp"

#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

namespace {

void keep(StoreFixture& f, const std::string& call, int status = 200) {
    REQUIRE(f.ask(ports::KeepAudit{
        {.at = f.clock.wall(), .caller = "uid 1004", .call = call, .status = status}}));
}

std::vector<ports::AuditRow> listed(StoreFixture& f, const ports::AuditFilter& filter = {}) {
    return f.look<ports::AuditReader>([&](ports::AuditReader& r) { return r.audit(filter); })
        .value();
}

}  // namespace

TEST_CASE("audit rows: newest first, page by page, as they were kept, also after a restart") {
    StoreFixture f;
    keep(f, "POST /v1/pause");
    f.clock.advance(1h);
    const WallTime later = f.clock.wall();
    keep(f, "POST /v1/modems/m9/drain", 404);
    keep(f, "POST /v1/resume");
    f.reopen();
    const auto all = listed(f);
    REQUIRE(all.size() == 3);
    CHECK(all[0].call == "POST /v1/resume");
    CHECK(all[1].at == later);
    CHECK(all[1].caller == "uid 1004");
    CHECK(all[1].call == "POST /v1/modems/m9/drain");
    CHECK(all[1].status == 404);
    CHECK(listed(f, {.limit = 2}).size() == 2);
    const auto rest = listed(f, {.before = all[1].id});
    REQUIRE(rest.size() == 1);
    CHECK(rest[0].call == "POST /v1/pause");
    CHECK(listed(f, {.since = later}).size() == 2);
}

TEST_CASE("audit rows: what was posted is kept by an ordinary stop, without a step of its writer") {
    StoreFixture f;
    f.store->post(ports::KeepAudit{{.at = f.clock.wall(), .call = "POST /v1/pause"}});
    f.reopen();
    CHECK(listed(f).size() == 1);
}

TEST_CASE("audit rows: old ones go with the messages, and no number is given twice") {
    StoreFixture f;
    keep(f, "POST /v1/pause");
    const auto first = listed(f)[0].id;
    f.clock.advance(24h);
    const WallTime before = f.clock.wall();
    CHECK(f.ask(ports::RemoveOld{before, before, 100}).value() >= 1);
    CHECK(listed(f).empty());
    keep(f, "POST /v1/resume");
    CHECK(f.ask(ports::RemoveOld{before, before, 100}));
    REQUIRE(listed(f).size() == 1);
    CHECK(listed(f)[0].id > first);
}

TEST_CASE("audit rows: the oldest beyond the bound go") {
    StoreFixture f;
    keep(f, "POST /v1/pause");
    f.store.reset();
    auto file = db::Connection::open(f.folder.file("smsrack.db"), {});
    REQUIRE(file);
    (*file)->run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'audit'", ports::audit_rows_max);
    file->reset();
    f.open();
    keep(f, "POST /v1/resume");
    const auto left = listed(f);
    REQUIRE(left.size() == 1);
    CHECK(left[0].call == "POST /v1/resume");
}
