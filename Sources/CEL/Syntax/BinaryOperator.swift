/// An operator of two operands that are both evaluated.
enum BinaryOperator: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case `in` = "in"

    /// How tightly the operator binds: relations 1, sums 2, products 3.
    var precedence: Int {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in: 1
        case .add, .subtract: 2
        case .multiply, .divide, .remainder: 3
        }
    }

    /// True for operators whose result is true or false.
    var isRelation: Bool { precedence == 1 }
}
