#include "src/smpp/account.hpp"

#include "src/smpp/pdu/bind.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace smsrack::smpp {
namespace {

constexpr int level_max = 6;
constexpr std::uint32_t sessions_max = 1'000;
constexpr std::uint32_t window_max = 1'000;
constexpr std::uint32_t rate_max = 100'000;

/// Takes what is before `end` off the front; all of it where `end` is not there.
std::string_view take(std::string_view& rest, char end) {
    const std::size_t length = std::min(rest.find(end), rest.size());
    const std::string_view taken = rest.substr(0, length);
    rest.remove_prefix(std::min(length + 1, rest.size()));
    return taken;
}

template <typename Number>
bool read_number(std::string_view text, Number least, Number most, Number& out) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
        return false;
    }
    out = value;
    return true;
}

template <typename Value>
struct Word {
    std::string_view word;
    Value value;
};
template <typename Value, std::size_t Count>
bool read_word(std::string_view text, const std::array<Word<Value>, Count>& words, Value& out) {
    const auto* const found = std::ranges::find(words, text, &Word<Value>::word);
    if (found != words.end()) {
        out = found->value;
    }
    return found != words.end();
}

constexpr std::array codings{Word{"gsm7", Coding::gsm7}, Word{"latin1", Coding::latin1},
                             Word{"utf8", Coding::utf8}};
constexpr std::array ascii_codings{Word{"ascii", Coding::ascii}, Word{"gsm7", Coding::gsm7}};
constexpr std::array incomings{Word{"none", Incoming::none}, Word{"replies", Incoming::replies},
                               Word{"all", Incoming::all}};
constexpr std::array answers{Word{"yes", true}, Word{"no", false}};
constexpr std::array sources{Word{"own", true}, Word{"ignore", false}};
constexpr std::array unreported{Word{"unknown", true}, Word{"accepted", false}};

bool read_binds(std::string_view text, Account& account) {
    account.transmits = account.receives = account.transceives = false;
    while (!text.empty()) {
        const std::string_view word = take(text, ',');
        bool* const kind = word == "tx"    ? &account.transmits
                           : word == "rx"  ? &account.receives
                           : word == "trx" ? &account.transceives
                                           : nullptr;
        if (kind == nullptr) {
            return false;
        }
        *kind = true;
    }
    return account.transmits || account.receives || account.transceives;
}

bool read_networks(std::string_view text, Account& account) {
    while (!text.empty()) {
        const auto network = config::ip_network_of(take(text, ','));
        if (!network) {
            return false;
        }
        account.from.push_back(*network);
    }
    return !account.from.empty();
}

bool read_levels(std::string_view text, Account& account) {
    for (int& level : account.levels) {
        if (!read_number(take(text, ','), 0, level_max, level)) {
            return false;
        }
    }
    return text.empty();
}

struct Option {
    std::string_view name;
    bool (*read)(std::string_view, Account&);
    std::string_view must_be;
};

constexpr std::array options{
    Option{"sessions",
           [](std::string_view text, Account& to) {
               return read_number(text, 1U, sessions_max, to.sessions);
           },
           "1 to 1000"},
    Option{"window",
           [](std::string_view text, Account& to) {
               return read_number(text, 1U, window_max, to.window);
           },
           "1 to 1000"},
    Option{
        "rate",
        [](std::string_view text, Account& to) { return read_number(text, 0U, rate_max, to.rate); },
        "0 to 100000, messages a second"},
    Option{"bind", read_binds, "some of tx, rx and trx, with commas between them"},
    Option{"from", read_networks, "networks such as 192.0.2.0/24, with commas between them"},
    Option{"dcs0",
           [](std::string_view text, Account& to) { return read_word(text, codings, to.dcs0); },
           "gsm7, latin1 or utf8"},
    Option{
        "dcs1",
        [](std::string_view text, Account& to) { return read_word(text, ascii_codings, to.dcs1); },
        "ascii or gsm7"},
    Option{"level",
           [](std::string_view text, Account& to) {
               return read_number(text, 0, level_max, to.level);
           },
           "0 to 6"},
    Option{"levels", read_levels, "four levels of 0 to 6, with commas between them"},
    Option{"group",
           [](std::string_view text, Account& to) {
               to.group = text;
               return !text.empty();
           },
           "the name of a group"},
    Option{
        "source",
        [](std::string_view text, Account& to) { return read_word(text, sources, to.own_source); },
        "ignore or own"},
    Option{
        "mo",
        [](std::string_view text, Account& to) { return read_word(text, incomings, to.incoming); },
        "all, replies or none"},
    Option{"mo_parts",
           [](std::string_view text, Account& to) {
               return read_word(text, answers, to.incoming_parts);
           },
           "yes or no"},
    Option{"unreported",
           [](std::string_view text, Account& to) {
               return read_word(text, unreported, to.unreported_unknown);
           },
           "accepted or unknown"},
    Option{
        "tls",
        [](std::string_view text, Account& to) { return read_word(text, answers, to.needs_tls); },
        "yes or no"},
};

std::string names_of_options() {
    std::string names;
    for (const Option& option : options) {
        names += (names.empty() ? "" : ", ") + std::string(option.name);
    }
    return names;
}

/// Of which no line is part.
std::optional<std::string> fault_of_option(std::string_view text, Account& account) {
    const std::string_view name = take(text, '=');
    const auto* const option = std::ranges::find(options, name, &Option::name);
    if (option == options.end()) {
        return "an option that is not known; these are: " + names_of_options();
    }
    if (!option->read(text, account)) {
        return fmt::format("{}: must be {}", option->name, option->must_be);
    }
    return std::nullopt;
}

}  // namespace

bool is_account_name(std::string_view name) {
    return !name.empty() && name.size() < system_id_max && std::ranges::all_of(name, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '_' || c == '-' || c == '.';
    });
}

Result<Account> account_of(std::string_view name, std::string_view hash, std::string_view said) {
    if (!is_account_name(name)) {
        return fail(Errc::bad_request,
                    "the name: 1 to 15 of letters, digits, \"_\", \"-\" and \".\"");
    }
    Account account{.name = std::string(name), .hash = std::string(hash)};
    if (hash.size() < 2 || hash.front() != '$') {
        return fail(Errc::bad_request, "the hash: not one of crypt(5), such as $y$...");
    }
    while (!said.empty()) {
        const std::string_view option = take(said, ' ');
        if (option.empty()) {
            continue;
        }
        if (auto fault = fault_of_option(option, account)) {
            return fail(Errc::bad_request, *std::move(fault));
        }
    }
    return account;
}

Result<std::vector<Account>> accounts_of(std::string_view file) {
    if (file.size() > accounts_bytes_max) {
        return fail(Errc::bad_request, "more than 512 KiB");
    }
    std::vector<Account> accounts;
    for (int number = 1; !file.empty(); ++number) {
        std::string_view line = take(file, '\n');
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (line.empty() || line.starts_with('#')) {
            continue;
        }
        const auto wrong = [&](std::string_view why) {
            return fail(Errc::bad_request, fmt::format("line {}: {}", number, why));
        };
        const std::string_view name = take(line, ' ');
        const std::string_view hash = take(line, ' ');
        auto account = account_of(name, hash, line);
        if (!account) {
            return wrong(account.error().context);
        }
        if (std::ranges::find(accounts, account->name, &Account::name) != accounts.end()) {
            return wrong("the name is there twice");
        }
        if (accounts.size() == accounts_max) {
            return wrong("more than 1000 accounts");
        }
        accounts.push_back(*std::move(account));
    }
    return accounts;
}

}  // namespace smsrack::smpp
