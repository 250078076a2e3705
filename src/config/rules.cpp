#include "src/config/rules.hpp"

#include "src/base/label.hpp"
#include "src/base/time_text.hpp"
#include "src/config/http_url.hpp"
#include "src/config/ip_address.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <vector>

namespace smsrack::config {
namespace {

constexpr std::array<std::int64_t, 11> bauds{1'200,  2'400,   4'800,   9'600,   19'200, 38'400,
                                             57'600, 115'200, 230'400, 460'800, 921'600};
constexpr std::size_t name_max = 32;  // fits a table of lines and a thread's or metric's label
// sun_path of unix(7), less its NUL and the ".new" under which a socket is made before it gets its name.
constexpr std::size_t socket_path_max = 103;
constexpr std::string_view digits = "0123456789";

bool all_of(std::string_view text, std::string_view allowed) {
    return text.find_first_not_of(allowed) == std::string_view::npos;
}

bool is_name(std::string_view text) {
    constexpr std::string_view allowed =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
    return !text.empty() && text.size() <= name_max && all_of(text, allowed);
}

bool is_path(std::string_view text) {
    return text.starts_with('/') && text.find('\0') == std::string_view::npos;
}

bool is_country(std::string_view text) {
    return text.starts_with('+') && text.size() >= 2 && text.size() <= 4 && text[1] != '0' &&
           all_of(text.substr(1), digits);
}

/// E.164: at most 15 digits; operators give their centres short numbers too.
bool is_number(std::string_view text) {
    const bool international = text.starts_with('+');
    const std::string_view number = international ? text.substr(1) : text;
    const std::size_t least = international ? 7 : 3;
    return number.size() >= least && number.size() <= 15 && all_of(number, digits);
}

bool is_e164(std::string_view text) {
    return text.starts_with('+') && text.size() >= 8 && text.size() <= 16 && text[1] != '0' &&
           all_of(text.substr(1), digits);
}

bool is_prefix(std::string_view text) {
    const std::string_view number = text.starts_with('+') ? text.substr(1) : text;
    // E.164: at most 15 digits.
    return !number.empty() && number.size() <= 15 && all_of(number, digits);
}

/// The form of a name in the time zone database; its user checks whether it exists.
bool is_zone(std::string_view text) {
    constexpr std::string_view allowed =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/";
    return !text.empty() && text.size() <= 64 && all_of(text, allowed) && !text.starts_with('/') &&
           !text.ends_with('/');
}

bool is_time_of_day(std::string_view text) {
    return text.size() == 5 && text[2] == ':' && all_of(text.substr(0, 2), digits) &&
           all_of(text.substr(3), digits) && text.substr(0, 2) < "24" && text[3] < '6';
}

bool is_holiday(std::string_view text) {
    constexpr std::size_t date_size = 10;
    if (text.size() < date_size + 2 || text.size() > date_size + 1 + 40) {
        return false;
    }
    const std::string_view date = text.substr(text.size() - date_size);
    return text[text.size() - date_size - 1] == ' ' && !text.starts_with(' ') &&
           time_of(std::string(date) + "T00:00:00Z").has_value();
}

bool is_word(std::string_view text) {
    return !text.empty() && text.size() <= 40 && !text.starts_with(' ') && !text.ends_with(' ');
}

bool is_webhook_name(std::string_view text) {
    return !text.empty() && text.size() <= name_max &&
           all_of(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
}

bool is_proxy_url(std::string_view text) {
    const auto url = http_url_of(text);
    return url && !url->tls && url->path == "/" && !url->has_query;
}

struct FormCheck {
    Form form;
    bool (*keeps)(std::string_view);
    std::string_view expected;
};

constexpr std::array form_checks{
    FormCheck{Form::absolute_path, is_path, "must be a path that begins with \"/\""},
    FormCheck{Form::socket_path,
              [](std::string_view text) { return is_path(text) && text.size() <= socket_path_max; },
              "must be a path that begins with \"/\", at most 103 octets long"},
    FormCheck{Form::file_mode, [](std::string_view text) { return file_mode_of(text).has_value(); },
              "must be three or four octal digits, such as \"0660\""},
    FormCheck{Form::name, is_name, "must be 1 to 32 of letters, digits, \"_\", \"-\" and \".\""},
    FormCheck{Form::country, is_country,
              "must be \"+\" and a country code of 1 to 3 digits, such as \"+33\""},
    FormCheck{Form::number, is_number,
              "must be a number of \"+\" and 7 to 15 digits, such as \"+33609001390\", or of 3 to "
              "15 digits"},
    FormCheck{Form::e164, is_e164,
              "must be \"+\" and the 7 to 15 digits of an international number"},
    FormCheck{Form::trunk,
              [](std::string_view text) { return text.size() <= 2 && all_of(text, digits); },
              "must be 0 to 2 digits, such as \"0\""},
    FormCheck{Form::prefix, is_prefix,
              "must be 1 to 15 digits, \"+\" before those of an international number"},
    FormCheck{Form::zone, is_zone, "must be the name of a time zone, such as \"Europe/Paris\""},
    FormCheck{Form::time_of_day, is_time_of_day, "must be a time from \"00:00\" to \"23:59\""},
    FormCheck{Form::holiday, is_holiday,
              "must be a name and a date, such as \"Easter 2026-04-05\""},
    FormCheck{Form::label, is_label,
              "must be 1 to 64 of letters, digits, \"_\", \"-\", \".\" and \":\""},
    FormCheck{Form::word, is_word, "must be 1 to 40 octets without a blank at its ends"},
    FormCheck{Form::ip_address,
              [](std::string_view text) { return ip_address_of(text).has_value(); },
              "must be a numeric address, such as \"192.0.2.1\" or \"2001:db8::1\""},
    FormCheck{Form::listen_address,
              [](std::string_view text) { return listen_address_of(text).has_value(); },
              "must be a numeric address and a port, such as \"0.0.0.0:8775\" or \"[::]:8775\""},
    FormCheck{
        Form::http_url, [](std::string_view text) { return http_url_of(text).has_value(); },
        "must be \"https://\" or \"http://\", a host and a path, without a name, a password, a "
        "blank or a \"#\", at most 2048 octets long"},
    FormCheck{Form::proxy_url, is_proxy_url,
              "must be \"http://\", a host and a port, such as \"http://proxy.example:3128\""},
    FormCheck{Form::webhook_name, is_webhook_name, "must be 1 to 32 of a-z, 0-9 and \"-\""},
    FormCheck{Form::time, [](std::string_view text) { return time_of(text).has_value(); },
              "must be a time such as \"2026-11-01T00:00:00Z\""},
};

/// Levenshtein distance.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] = i;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

}  // namespace

std::optional<std::string> broken_rule(const Rule& rule, std::int64_t value) {
    if (rule.form == Form::range && (value < rule.min || value > rule.max)) {
        return fmt::format("must be from {} to {}", rule.min, rule.max);
    }
    if (rule.form == Form::baud_or_none && value == 0) {
        return {};
    }
    if ((rule.form == Form::baud || rule.form == Form::baud_or_none) &&
        std::ranges::find(bauds, value) == bauds.end()) {
        return fmt::format("must be {}one of {}", rule.form == Form::baud ? "" : "0 or ",
                           fmt::join(bauds, ", "));
    }
    return {};
}

std::optional<std::string> broken_rule(const Rule& rule, double value) {
    if (value >= static_cast<double>(rule.min) && value <= static_cast<double>(rule.max)) {
        return {};
    }
    return fmt::format("must be from {} to {}", rule.min, rule.max);  // NaN too
}

std::optional<std::string> broken_rule(const Rule& rule, std::string_view value) {
    const auto check = std::ranges::find(form_checks, rule.form, &FormCheck::form);
    if (check == form_checks.end() || check->keeps(value)) {
        return {};
    }
    return std::string(check->expected);
}

std::optional<std::uint32_t> file_mode_of(std::string_view text) {
    if (text.size() < 3 || text.size() > 4 || !all_of(text, "01234567") ||
        (text.size() == 4 && text[0] != '0')) {
        return {};
    }
    std::uint32_t bits = 0;
    for (const char digit : text) {
        bits = bits * 8 + static_cast<std::uint32_t>(digit - '0');
    }
    return bits;
}

std::optional<std::string_view> near_miss(std::string_view wrong,
                                          std::span<const std::string_view> words) {
    constexpr std::size_t wrong_max = 64;  // a longer one is not meant as the word; bounds the work
    if (wrong.size() > wrong_max) {
        return {};
    }
    std::optional<std::string_view> best;
    std::size_t best_distance = 0;
    for (const std::string_view word : words) {
        const std::size_t steps = distance(wrong, word);
        const std::size_t allowed = word.size() <= 3 ? 1 : word.size() <= 8 ? 2 : 3;
        if (steps <= allowed && (!best || steps < best_distance)) {
            best = word;
            best_distance = steps;
        }
    }
    return best;
}

}  // namespace smsrack::config
