#include "db/engine/gathered_writes.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace smsrack;
using db::GatheredWrites;

namespace {

std::string text_of(const GatheredWrites& gathered) {
    return {gathered.octets().begin(), gathered.octets().end()};
}

}  // namespace

TEST_CASE("gathered writes: what follows what is here becomes part of the same write") {
    const auto gathered = std::make_unique<GatheredWrites>();
    CHECK(gathered->empty());
    CHECK(gathered->add(std::string("head"), 32));
    CHECK(gathered->add(std::string("page"), 36));
    CHECK(gathered->offset() == 32);
    CHECK(text_of(*gathered) == "headpage");
}

TEST_CASE("gathered writes: what belongs elsewhere is not taken, and takes nothing away") {
    const auto gathered = std::make_unique<GatheredWrites>();
    CHECK(gathered->add(std::string("head"), 32));
    for (const std::int64_t offset : {0, 32, 35, 37}) {
        CAPTURE(offset);
        CHECK_FALSE(gathered->add(std::string("page"), offset));
    }
    CHECK(text_of(*gathered) == "head");
    gathered->clear();
    CHECK(gathered->empty());
    CHECK(gathered->add(std::string("page"), 0));
    CHECK(gathered->offset() == 0);
}

TEST_CASE("gathered writes: what does not fit is not taken") {
    const auto gathered = std::make_unique<GatheredWrites>();
    const std::string half(GatheredWrites::octets_max / 2, 'x');
    CHECK(gathered->add(half, 0));
    CHECK_FALSE(gathered->add(half + 'x', static_cast<std::int64_t>(half.size())));
    CHECK(gathered->add(half, static_cast<std::int64_t>(half.size())));
    CHECK_FALSE(gathered->add(std::string("x"), GatheredWrites::octets_max));
    CHECK(gathered->octets().size() == GatheredWrites::octets_max);
    gathered->clear();
    CHECK_FALSE(gathered->add(std::string(GatheredWrites::octets_max + 1, 'x'), 0));
}
