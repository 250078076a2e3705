#include "db/postgres/put_keys.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

namespace smsrack::postgres {
namespace {

enum class Kind : std::uint8_t { id, ref, pair, text, recipient, client };

struct Key {
    Kind kind;
    std::string_view word;
    std::uint64_t number;
    std::size_t message;
    bool limits = true;  // false: it matters only where another message with this key has a limit

    [[nodiscard]] auto value() const { return std::tuple(kind, word, number); }
};

std::vector<Key> keys_of(std::span<const ports::PutMessage> messages) {
    std::vector<Key> keys;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const auto& [message, checks, stage, is_begun] = messages[i];
        keys.push_back({Kind::id, "", static_cast<std::uint64_t>(message.id.value), i});
        keys.push_back({Kind::ref, checks.ref, 0, i});
        keys.push_back({Kind::pair, checks.pair, 0, i});
        keys.push_back({Kind::text, "", checks.text_hash, i});
        keys.push_back({Kind::recipient, checks.recipient, 0, i,
                        checks.limits.per_hour || checks.limits.per_day});
        keys.push_back({Kind::client, checks.client, 0, i, checks.client_waiting_max.has_value()});
    }
    std::erase_if(keys, [](const Key& key) {
        return key.kind != Kind::id && key.word.empty() && key.number == 0;
    });
    return keys;
}

}  // namespace

std::vector<bool> alone_in(std::span<const ports::PutMessage> messages) {
    std::vector<bool> alone(messages.size(), true);
    auto keys = keys_of(messages);
    std::ranges::sort(keys, {}, &Key::value);
    for (auto first = keys.begin(); first != keys.end();) {
        const auto last = std::find_if(
            first, keys.end(), [&](const Key& key) { return key.value() != first->value(); });
        if (last - first > 1 &&
            std::any_of(first, last, [](const Key& key) { return key.limits; })) {
            std::for_each(first, last, [&](const Key& key) { alone[key.message] = false; });
        }
        first = last;
    }
    return alone;
}

}  // namespace smsrack::postgres
