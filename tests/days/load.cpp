#include "tests/days/load.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace smsrack::days {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t one_request = 100;  // messages that come at one time, at most

struct Writer {
    Random& random;
    std::uint64_t next;

    [[nodiscard]] std::string number() const { return fmt::format("+336{:08}", next); }

    /// Mostly short; some of several segments, some in UCS-2. Of each part it can be seen where it belongs.
    [[nodiscard]] std::string text() const {
        static constexpr std::array lengths{10, 30, 30, 30, 100, 100, 160, 200, 400};
        const auto length = static_cast<std::size_t>(lengths.at(random.below(lengths.size())));
        std::string text = fmt::format("message {} ", next);
        const char* const other_alphabet = random.below(8) == 0 ? "ж" : "";
        for (unsigned word = 1; text.size() < length; ++word) {
            text += fmt::format("{}{}.{} ", other_alphabet, next, word);
        }
        return text;
    }

    [[nodiscard]] intake::SubmitRequest write(std::string to, Level level) {
        intake::SubmitRequest request{.to = std::move(to),
                                      .text = text(),
                                      .priority = level,
                                      .ttl_s = random.below(20) == 0 ? 600 : 86'400,
                                      .report = random.below(2) == 0};
        ++next;
        return request;
    }
};

/// A hundred at a time.
void add_campaign(Load& load, Writer& writer, milliseconds at, std::size_t size, Level level) {
    for (std::size_t all = size; all > 0;) {
        std::vector<intake::SubmitRequest> part;
        for (std::size_t i = std::min(all, one_request); i > 0; --i, --all) {
            part.push_back(writer.write(writer.number(), level));
        }
        load.emplace(at, std::move(part));
        at += milliseconds(writer.random.below(2'000));
    }
}

}  // namespace

Load make_load(Random& random, std::uint64_t first, unsigned messages, milliseconds length) {
    Load load;
    Writer writer{random, first};
    const auto any_time = [&] {
        return milliseconds(random.below(static_cast<std::uint64_t>(length.count())));
    };
    const std::uint64_t end = first + messages;
    const auto campaign = [&](milliseconds at, std::size_t size, Level level) {
        add_campaign(load, writer, at, std::min(size, static_cast<std::size_t>(end - writer.next)),
                     level);
    };
    while (writer.next < end) {
        const auto left = static_cast<std::size_t>(end - writer.next);
        const std::uint64_t kind = random.below(40);
        auto at = any_time();
        if (kind == 0) {
            const auto level = static_cast<Level>(random.below(3));
            const bool large = random.below(4) == 0;
            campaign(at, 100 + random.below<std::size_t>(large ? 2'000 : 600), level);
            if (random.below(2) == 0) {  // another one before it has ended
                campaign(at + std::chrono::seconds(random.below(60)),
                         100 + random.below<std::size_t>(600), static_cast<Level>(random.below(3)));
            }
        } else if (kind == 2 && random.below(2) == 0) {
            // A more urgent one before it has ended: both wait for minutes.
            const auto level = static_cast<Level>(random.below(3));
            campaign(at, 1'000 + random.below<std::size_t>(1'000), level);
            campaign(at + std::chrono::seconds(10 + random.below(40)),
                     600 + random.below<std::size_t>(600), static_cast<Level>(level + 1));
        } else if (kind == 1) {  // a conversation
            const std::string to = writer.number();
            const auto level = static_cast<Level>(random.below(level_count));
            for (std::size_t i = std::min(left, 2 + random.below<std::size_t>(5)); i > 0; --i) {
                load.emplace(at, std::vector{writer.write(to, level)});
                at += milliseconds(random.below(1'500));
            }
        } else {
            const auto level = static_cast<Level>(random.below(level_count));
            load.emplace(at, std::vector{writer.write(writer.number(), level)});
        }
    }
    return load;
}

Load make_surge(Random& random, std::uint64_t first, const Surge& surge) {
    Load load;
    Writer writer{random, first};
    const auto add = [&load, &writer](milliseconds at) {
        intake::SubmitRequest request = writer.write(writer.number(), level_max);
        request.text = fmt::format("code {}", writer.next - 1);
        request.ttl_s = 86'400;
        load.emplace(at, std::vector{std::move(request)});
    };
    for (unsigned i = 0; i < surge.before; ++i) {
        add(i * surge.pause_before);
    }
    const milliseconds at = surge.before * surge.pause_before;
    for (unsigned i = 0; i < surge.burst; ++i) {
        add(at);
    }
    for (unsigned i = 0; i < surge.after; ++i) {
        add(at + i * surge.pause_after);
    }
    return load;
}

Load make_rivals(Random& random, std::uint64_t first, unsigned messages, Level level) {
    Load load;
    Writer writer{random, first};
    const std::size_t low = messages / 3;
    add_campaign(load, writer, {}, low, level);
    add_campaign(load, writer, std::chrono::seconds(10), messages - low,
                 static_cast<Level>(level + 1));
    return load;
}

}  // namespace smsrack::days
