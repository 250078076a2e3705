#include "src/cluster/sim_form.hpp"

#include "src/cluster/form_reader.hpp"
#include "src/wire/json_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace smsrack::cluster {
namespace {

using std::chrono::milliseconds;

/// Of the reader's clock.
struct Reckoning {
    std::optional<milliseconds> lead{0};
    WallTime now = WallTime::max();
};

/// The number of the newest bucket, then of each that is not empty how far it is behind that, and its count.
std::vector<std::int64_t> numbers_of(const SlidingCount& sliding) {
    constexpr std::int64_t places = SlidingCount::places;
    std::vector<std::int64_t> numbers{sliding.newest()};
    for (std::int64_t behind = places - 1; behind >= 0; --behind) {
        const std::int64_t bucket = sliding.newest() - behind;
        const auto place = static_cast<std::size_t>((bucket % places + places) % places);
        if (const std::uint32_t count = sliding.counts().at(place); count > 0) {
            numbers.push_back(behind);
            numbers.push_back(count);
        }
    }
    return numbers.size() == 1 ? std::vector<std::int64_t>{} : numbers;
}

/// The last moment of the bucket, where the clocks differ.
WallTime dated(WallTime begins, milliseconds bucket, Reckoning by) {
    if (!by.lead) {
        return by.now;
    }
    return by.lead->count() == 0 ? begins : begins + bucket - milliseconds(1) + *by.lead;
}

void read_sliding(SlidingCount& sliding, const std::vector<std::int64_t>& numbers,
                  milliseconds bucket, Reckoning by) {
    for (std::size_t i = 1; i + 1 < numbers.size(); i += 2) {
        const WallTime begins{bucket * (numbers[0] - numbers[i])};
        sliding.turn(std::min(dated(begins, bucket, by), by.now));
        sliding.add(static_cast<std::uint32_t>(numbers[i + 1]));
    }
}

void read_period(FormReader& reader, const char* name, PeriodCount& period) {
    std::vector<std::int64_t> numbers;
    reader.read(name, numbers);
    if (numbers.size() == 2) {
        period = {.period = numbers[0], .count = static_cast<std::uint32_t>(numbers[1])};
    }
}

void write_usage(wire::JsonWriter& json, const SimUsage& usage) {
    json.list("minute", numbers_of(usage.minute));
    json.list("hour", numbers_of(usage.hour));
    json.list("day", std::vector<std::int64_t>{usage.day.period, usage.day.count});
    json.list("month", std::vector<std::int64_t>{usage.month.period, usage.month.count});
}

SimUsage read_usage(FormReader& reader, Reckoning by) {
    SimUsage usage;
    std::vector<std::int64_t> numbers;
    reader.read("minute", numbers);
    read_sliding(usage.minute, numbers, std::chrono::seconds(1), by);
    numbers.clear();
    reader.read("hour", numbers);
    read_sliding(usage.hour, numbers, std::chrono::minutes(1), by);
    read_period(reader, "day", usage.day);
    read_period(reader, "month", usage.month);
    return usage;
}

}  // namespace

std::string form_of(const SimUsage& usage) {
    std::string form;
    wire::JsonWriter json(form);
    json.object([&] { write_usage(json, usage); });
    return form;
}

Result<ports::SimPart> part_of(std::string_view form, std::optional<milliseconds> lead,
                               WallTime now) {
    return read_form<ports::SimPart>(form, [&](const wire::Json& json) -> Result<ports::SimPart> {
        FormReader reader(json);
        return ports::SimPart{.usage = read_usage(reader, {.lead = lead, .now = now}),
                              .lead = lead.value_or(milliseconds(0))};
    });
}

std::string form_of(const ports::SimShare& share) {
    std::string form;
    wire::JsonWriter json(form);
    json.object([&] {
        json.objects("others", share.others, [&](const ports::SimPart& part) {
            write_usage(json, part.usage);
            json.member("lead", part.lead.count());
        });
        json.objects("recipients", share.recipients, [&](const auto& month) {
            json.member("month", month.first);
            json.array("hashes", month.second, [&](std::uint64_t recipient) {
                json.value(static_cast<std::int64_t>(recipient));
            });
        });
    });
    return form;
}

Result<ports::SimShare> share_of(std::string_view form) {
    return read_form<ports::SimShare>(form, [&](const wire::Json& json) -> Result<ports::SimShare> {
        ports::SimShare share;
        for (const wire::Json& other : json.at("others")) {
            FormReader reader(other);
            ports::SimPart& part = share.others.emplace_back();
            part.usage = read_usage(reader, {});
            std::int64_t lead = 0;
            reader.read("lead", lead);
            part.lead = milliseconds(lead);
        }
        for (const wire::Json& of_month : json.value("recipients", wire::Json::array())) {
            auto& hashes = share.recipients[of_month.at("month").get<std::int64_t>()];
            for (const wire::Json& hash : of_month.at("hashes")) {
                hashes.insert(static_cast<std::uint64_t>(hash.get<std::int64_t>()));
            }
        }
        return share;
    });
}

}  // namespace smsrack::cluster
