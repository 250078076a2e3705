#include "db/postgres/sql_text.hpp"

#include <fmt/format.h>

namespace smsrack::postgres {

SqlText::SqlText(std::string_view function, std::string_view columns)
    : text_(fmt::format("SELECT {} FROM smsrack.{}(", columns, function)) {}

void SqlText::next() {
    if (!std::exchange(is_first_, false)) {
        text_ += ',';
    }
}

SqlText& SqlText::raw(std::string_view text) {
    next();
    text_ += text;
    return *this;
}

// standard_conforming_strings is on (connect_plan), so a backslash is an octet like others.
SqlText& SqlText::add(std::string_view text) {
    next();
    text_ += '\'';
    for (const char c : text) {
        text_ += c;
        if (c == '\'') {
            text_ += c;
        }
    }
    text_ += '\'';
    return *this;
}

SqlText& SqlText::add(double value) {
    return raw(fmt::format("{}::float8", value));
}

SqlText& SqlText::add(ports::Seat seat) {
    return add(std::int64_t{seat.box.value}).add(seat.epoch.value);
}

SqlText& SqlText::add(ports::ReadMark mark) {
    return add(static_cast<std::int64_t>(mark.transaction)).add(mark.number);
}

/// Within an array within a literal.
void SqlText::element(std::string_view text) {
    if (text.empty()) {
        text_ += "NULL";
        return;
    }
    text_ += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            text_ += '\\';
        } else if (c == '\'') {
            text_ += c;
        }
        text_ += c;
    }
    text_ += '"';
}

}  // namespace smsrack::postgres
