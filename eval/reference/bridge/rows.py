"""Rows of `test_cases.csv` as the benchmark's own reader types them: a column is bool, integer, float or text as a whole."""

ABSENT = {'', '#N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN', '<NA>', 'N/A', 'NA', 'NULL', 'NaN', 'None', 'n/a', 'nan', 'null'}


def typed_rows(rows):
    """Rows of text by column → rows of values. An absent cell is NaN; numeric columns without one become integers where all are whole."""
    columns = {name: typed_column([row[name] for row in rows]) for name in rows[0]} if rows else {}
    return [{name: values[index] for name, values in columns.items()} for index in range(len(rows))]


def typed_column(cells):
    given = [cell for cell in cells if cell not in ABSENT]
    whole = len(given) == len(cells)
    if given and all(cell in ('true', 'True', 'TRUE', 'false', 'False', 'FALSE') for cell in given) and whole:
        return [cell.lower() == 'true' for cell in cells]
    try:
        numbers = [float(cell) for cell in given]
    except ValueError:
        return [float('nan') if cell in ABSENT else cell for cell in cells]
    if whole and all(number == number and abs(number) != float('inf') and number == int(number) for number in numbers):
        return [int(float(cell)) if not cell.lstrip('+-').isdigit() else int(cell) for cell in cells]
    return [float('nan') if cell in ABSENT else float(cell) for cell in cells]
